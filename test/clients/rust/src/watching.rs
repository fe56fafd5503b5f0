//! Reflectors that stay true while the server is stopped, and killed, under them: by lists in pages and by streams.

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, PostParams},
    runtime::{
        WatchStreamExt,
        reflector::{self, ObjectRef, Store},
        watcher,
    },
};

use crate::{Context, Outcome, config_map, ensure, restart, until};

pub async fn watchers(context: &Context) -> Outcome {
    let maps = context.config_maps();
    for index in 0..300 {
        maps.create(
            &PostParams::default(),
            &config_map(&format!("first-{index}")),
        )
        .await?;
    }
    let paged = follow(maps.clone(), watcher::Config::default().page_size(100));
    let streamed = follow(maps.clone(), watcher::Config::default().streaming_lists());
    paged.wait_until_ready().await?;
    streamed.wait_until_ready().await?;
    for store in [&paged, &streamed] {
        ensure(
            knows(store, context, "first-299"),
            "a reflector has not what was there",
        )?;
    }
    let told = async |name: &str, present: bool| {
        until(name, async || {
            Ok([&paged, &streamed]
                .iter()
                .all(|store| knows(store, context, name) == present))
        })
        .await
    };
    for how in ["stop", "kill"] {
        let (before, after) = (format!("before-{how}"), format!("after-{how}"));
        maps.create(&PostParams::default(), &config_map(&before))
            .await?;
        told(&before, true).await?;
        restart(how).await?;
        until("the server takes requests", async || {
            Ok(maps
                .create(&PostParams::default(), &config_map(&after))
                .await
                .is_ok())
        })
        .await?;
        told(&after, true).await?;
        maps.delete(&before, &DeleteParams::default()).await?;
        told(&before, false).await?;
    }
    ensure(
        paged.len() == streamed.len(),
        format!("{} by lists, {} by streams", paged.len(), streamed.len()),
    )
}

/// Keeps what a watcher tells in a store, for as long as the program runs.
fn follow(maps: Api<ConfigMap>, config: watcher::Config) -> Store<ConfigMap> {
    let (store, writer) = reflector::store();
    let events = watcher(maps, config).default_backoff().reflect(writer);
    tokio::spawn(events.for_each(|_| async {}));
    store
}

fn knows(store: &Store<ConfigMap>, context: &Context, name: &str) -> bool {
    store
        .get(&ObjectRef::new(name).within(&context.namespace))
        .is_some()
}
