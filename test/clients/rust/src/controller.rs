//! An operator: its own kind, a controller that makes what the kind asks for, finalizers and status.

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::{
    api::core::v1::ConfigMap,
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, CustomResource, CustomResourceExt, Resource, ResourceExt,
    api::{DeleteParams, Patch, PatchParams, PostParams},
    runtime::{
        controller::{Action, Controller},
        finalizer::{Event, finalizer},
        wait::{await_condition, conditions},
        watcher,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Context, Outcome, code, ensure, restart, until};

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "rust.example.com",
    version = "v1",
    kind = "Greeting",
    namespaced,
    status = "GreetingStatus"
)]
pub struct GreetingSpec {
    #[schemars(length(min = 1, max = 20))]
    name: String,
    #[serde(default)]
    tone: Option<Tone>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Tone {
    Warm,
    Cool,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct GreetingStatus {
    said: String,
}

const FINALIZER: &str = "rust.example.com/said";

pub async fn controller(context: &Context) -> Outcome {
    let definitions = Api::<CustomResourceDefinition>::all(context.client.clone());
    let name = Greeting::crd_name();
    definitions
        .patch(
            name,
            &PatchParams::apply("rust").force(),
            &Patch::Apply(Greeting::crd()),
        )
        .await?;
    await_condition(definitions, name, conditions::is_crd_established()).await?;

    let greetings = Api::<Greeting>::namespaced(context.client.clone(), &context.namespace);
    let maps = context.config_maps();
    let post = PostParams::default();
    ensure(
        code(
            greetings
                .create(&post, &greeting("long", &"x".repeat(21)))
                .await,
        )? == 422,
        "the schema was not held",
    )?;
    let run = Controller::new(greetings.clone(), watcher::Config::default())
        .owns(maps.clone(), watcher::Config::default())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_millis(100)),
            Arc::new(context.client.clone()),
        )
        .for_each(|_| async {});
    tokio::spawn(run);

    greetings.create(&post, &greeting("ada", "Ada")).await?;
    let said = async |name: &str, text: &str| {
        until(name, async || {
            let seen = greetings.get(name).await?;
            Ok(seen.status.is_some_and(|status| status.said == text))
        })
        .await
    };
    said("ada", "Hello, Ada").await?;
    maps.delete("ada", &DeleteParams::default()).await?;
    until("what the operator owns is made again", async || {
        Ok(maps.get_opt("ada").await?.is_some())
    })
    .await?;

    restart("kill").await?;
    let renamed = json!({ "spec": { "name": "Ada Lovelace" } });
    until("the server takes requests", async || {
        let patch = Patch::Merge(&renamed);
        Ok(greetings
            .patch("ada", &PatchParams::default(), &patch)
            .await
            .is_ok())
    })
    .await?;
    said("ada", "Hello, Ada Lovelace").await?;
    greetings.delete("ada", &DeleteParams::default()).await?;
    until("the finalizer lets go", async || {
        Ok(greetings.get_opt("ada").await?.is_none())
    })
    .await?;
    until("what it owned is collected", async || {
        Ok(maps.get_opt("ada").await?.is_none())
    })
    .await
}

fn greeting(name: &str, whom: &str) -> Greeting {
    Greeting::new(
        name,
        GreetingSpec {
            name: whom.into(),
            tone: Some(Tone::Warm),
        },
    )
}

async fn reconcile(object: Arc<Greeting>, client: Arc<Client>) -> Result<Action, Failure> {
    let namespace = object.namespace().unwrap_or_default();
    let greetings = Api::<Greeting>::namespaced((*client).clone(), &namespace);
    let maps = Api::<ConfigMap>::namespaced((*client).clone(), &namespace);
    finalizer(
        &greetings.clone(),
        FINALIZER,
        object,
        async |event| match event {
            Event::Apply(object) => greet(&greetings, &maps, &object).await,
            Event::Cleanup(_) => Ok(Action::await_change()),
        },
    )
    .await
    .map_err(|error| Failure(error.to_string()))
}

async fn greet(
    greetings: &Api<Greeting>,
    maps: &Api<ConfigMap>,
    object: &Greeting,
) -> kube::Result<Action> {
    let said = format!("Hello, {}", object.spec.name);
    let owner = object.controller_owner_ref(&());
    let map = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": object.name_any(), "ownerReferences": [owner] },
        "data": { "said": said }
    });
    let params = PatchParams::apply("greeter").force();
    maps.patch(&object.name_any(), &params, &Patch::Apply(map))
        .await?;
    let status = json!({ "apiVersion": "rust.example.com/v1", "kind": "Greeting", "status": { "said": said } });
    greetings
        .patch_status(&object.name_any(), &params, &Patch::Apply(status))
        .await?;
    Ok(Action::await_change())
}

#[derive(Debug)]
struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
