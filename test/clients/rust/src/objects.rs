//! Requests for one object or a list of them.

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::{
    api::{
        apps::v1::Deployment,
        authentication::v1::{TokenRequest, TokenRequestSpec},
        core::v1::{Pod, ServiceAccount},
    },
    apimachinery::pkg::apis::meta::v1::Status,
};
use kube::{
    Api, ResourceExt,
    api::{
        AttachParams, DeleteParams, DynamicObject, EvictParams, ListParams, LogParams, Patch,
        PatchParams, PostParams, WatchEvent, WatchParams,
    },
    core::GroupVersionKind,
    discovery::{Discovery, Scope},
};
use serde_json::json;

use crate::{Context, Outcome, code, config_map, ensure, until};

pub async fn typed(context: &Context) -> Outcome {
    let maps = context.config_maps();
    let post = PostParams::default();
    let first = maps.create(&post, &config_map("first")).await?;
    ensure(
        code(maps.create(&post, &config_map("first")).await)? == 409,
        "made twice",
    )?;
    ensure(
        maps.get_opt("missing").await?.is_none(),
        "found what is missing",
    )?;

    let mut next = first.clone();
    next.data = Some([("of".to_owned(), "replaced".to_owned())].into());
    let next = maps.replace("first", &post, &next).await?;
    ensure(
        next.resource_version() != first.resource_version(),
        "the version stayed",
    )?;
    ensure(
        code(maps.replace("first", &post, &first).await)? == 409,
        "a stale version replaced a new one",
    )?;

    let merged = json!({ "data": { "colour": "green" } });
    let merged = maps
        .patch("first", &PatchParams::default(), &Patch::Merge(merged))
        .await?;
    ensure(
        merged.data.is_some_and(|data| data.len() == 2),
        "a merge patch removed data",
    )?;
    let labels = json!({ "metadata": { "labels": { "tier": "one" } } });
    maps.patch("first", &PatchParams::default(), &Patch::Strategic(labels))
        .await?;
    ensure(
        maps.list(&ListParams::default().labels("tier=one"))
            .await?
            .items
            .len()
            == 1,
        "not selected by its label",
    )?;

    for index in 0..25 {
        maps.create(&post, &config_map(&format!("page-{index}")))
            .await?;
    }
    let mut seen = 0;
    let mut page = ListParams::default().limit(10);
    loop {
        let list = maps.list(&page).await?;
        seen += list
            .items
            .iter()
            .filter(|each| each.name_any().starts_with("page-"))
            .count();
        match list.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => page = page.continue_token(&token),
            None => break,
        }
    }
    ensure(seen == 25, format!("{seen} of 25 in pages"))?;

    let params = WatchParams::default()
        .fields("metadata.name=watched")
        .disable_bookmarks()
        .timeout(20);
    let mut events = maps.watch(&params, "0").await?.boxed();
    maps.create(&post, &config_map("watched")).await?;
    let event = events.try_next().await?;
    ensure(
        matches!(event, Some(WatchEvent::Added(_))),
        format!("of what was made: {event:?}"),
    )?;
    maps.delete("watched", &DeleteParams::default()).await?;
    let event = events.try_next().await?;
    ensure(
        matches!(event, Some(WatchEvent::Deleted(_))),
        format!("of what was deleted: {event:?}"),
    )?;

    maps.delete_collection(
        &DeleteParams::default(),
        &ListParams::default().labels("tier=one"),
    )
    .await?;
    until("what a selector deletes is gone", async || {
        Ok(maps.get_opt("first").await?.is_none())
    })
    .await
}

pub async fn apply(context: &Context) -> Outcome {
    let deployments = Api::<Deployment>::namespaced(context.client.clone(), &context.namespace);
    let applied = |replicas: i32| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" },
            "spec": {
                "replicas": replicas,
                "selector": { "matchLabels": { "app": "web" } },
                "template": {
                    "metadata": { "labels": { "app": "web" } },
                    "spec": { "containers": [{ "name": "web", "image": "web:1" }] }
                }
            }
        })
    };
    let one = PatchParams::apply("one");
    let made = deployments
        .patch("web", &one, &Patch::Apply(applied(2)))
        .await?;
    ensure(
        made.managed_fields().len() == 1,
        "an applied object has one manager",
    )?;
    let same = deployments
        .patch("web", &one, &Patch::Apply(applied(2)))
        .await?;
    ensure(
        same.resource_version() == made.resource_version(),
        "applying the same again wrote",
    )?;

    let other = PatchParams::apply("other");
    ensure(
        code(
            deployments
                .patch("web", &other, &Patch::Apply(applied(3)))
                .await,
        )? == 409,
        "no conflict of managers",
    )?;
    let taken = deployments
        .patch("web", &other.clone().force(), &Patch::Apply(applied(3)))
        .await?;
    ensure(
        taken.spec.and_then(|spec| spec.replicas) == Some(3),
        "not taken by force",
    )?;
    let strict = PatchParams::default().validation_strict();
    let unknown = json!({ "spec": { "replicaz": 3 } });
    ensure(
        code(
            deployments
                .patch("web", &strict, &Patch::Merge(unknown))
                .await,
        )? == 422,
        "an unknown field passed",
    )?;

    let scale = deployments.get_scale("web").await?;
    ensure(
        scale.spec.and_then(|spec| spec.replicas) == Some(3),
        "the scale tells other replicas",
    )?;
    let four = json!({ "spec": { "replicas": 4 } });
    deployments
        .patch_scale("web", &PatchParams::default(), &Patch::Merge(four))
        .await?;
    let status = json!({ "status": { "observedGeneration": 1, "replicas": 4 } });
    let seen = deployments
        .patch_status("web", &PatchParams::default(), &Patch::Merge(status))
        .await?;
    ensure(
        seen.spec.and_then(|spec| spec.replicas) == Some(4),
        "the scale was not written",
    )
}

pub async fn discovery(context: &Context) -> Outcome {
    for found in [
        Discovery::new(context.client.clone()).run().await?,
        Discovery::new(context.client.clone())
            .run_aggregated()
            .await?,
    ] {
        let kind = GroupVersionKind::gvk("apps", "v1", "Deployment");
        let (resource, capabilities) = found
            .resolve_gvk(&kind)
            .ok_or("Deployment is not discovered")?;
        ensure(
            capabilities.scope == Scope::Namespaced && resource.plural == "deployments",
            "a Deployment is otherwise",
        )?;
        ensure(
            capabilities
                .subresources
                .iter()
                .any(|(each, _)| each.plural == "scale"),
            "no scale is discovered",
        )?;
        let core = found.get("").ok_or("no core group")?;
        let (resource, _) = core.recommended_kind("ConfigMap").ok_or("no ConfigMap")?;
        let objects = Api::<DynamicObject>::namespaced_with(
            context.client.clone(),
            &context.namespace,
            &resource,
        );
        let name = format!(
            "dynamic-{}",
            objects.list(&ListParams::default()).await?.items.len()
        );
        let object = DynamicObject::new(&name, &resource).data(json!({ "data": { "a": "b" } }));
        objects.create(&PostParams::default(), &object).await?;
        let found = objects.get(&name).await?;
        ensure(
            found.data["data"]["a"] == "b",
            "a dynamic object lost its data",
        )?;
        let metadata = objects.get_metadata(&name).await?;
        ensure(metadata.name_any() == name, "no metadata alone")?;
        ensure(
            !objects
                .list_metadata(&ListParams::default())
                .await?
                .items
                .is_empty(),
            "no list of metadata",
        )?;
    }
    let version = context.client.apiserver_version().await?;
    ensure(version.major == "1", "the version tells no 1")
}

pub async fn subresources(context: &Context) -> Outcome {
    let pods = Api::<Pod>::namespaced(context.client.clone(), &context.namespace);
    let pod: Pod = serde_json::from_value(json!({
        "metadata": { "name": "web" },
        "spec": { "containers": [{ "name": "web", "image": "web:1" }] }
    }))?;
    until("the service account is there", async || {
        let accounts =
            Api::<ServiceAccount>::namespaced(context.client.clone(), &context.namespace);
        Ok(accounts.get_opt("default").await?.is_some())
    })
    .await?;
    pods.create(&PostParams::default(), &pod).await?;
    ensure(
        code(pods.logs("missing", &LogParams::default()).await)? == 404,
        "logs of a pod that is missing",
    )?;
    ensure(
        pods.logs("web", &LogParams::default()).await? == "",
        "logs of a pod without a node are empty",
    )?;
    ensure(
        pods.exec("web", ["date"], &AttachParams::default())
            .await
            .is_err(),
        "a command ran without a node",
    )?;
    ensure(
        pods.portforward("web", &[80]).await.is_err(),
        "a port was forwarded without a node",
    )?;
    pods.evict("web", &EvictParams::default()).await?;
    ensure(
        pods.get_opt("web").await?.is_none(),
        "an evicted pod without a node is gone at once",
    )?;

    let accounts = Api::<ServiceAccount>::namespaced(context.client.clone(), &context.namespace);
    let spec = TokenRequestSpec {
        audiences: vec!["rust".into()],
        ..Default::default()
    };
    let request = TokenRequest {
        spec,
        ..Default::default()
    };
    let token = accounts
        .create_token_request("default", &PostParams::default(), &request)
        .await?;
    ensure(
        token
            .status
            .is_some_and(|status| status.token.split('.').count() == 3),
        "no token",
    )?;
    let gone = context
        .client
        .request::<Status>(http_get("/apis/none.example.com/v1")?)
        .await;
    ensure(code(gone)? == 404, "an unknown group was found")
}

fn http_get(path: &str) -> Outcome<http::Request<Vec<u8>>> {
    Ok(http::Request::get(path).body(Vec::new())?)
}
