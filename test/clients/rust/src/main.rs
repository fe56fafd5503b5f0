//! What programs made with kube-rs ask of a server: typed, dynamic and custom objects, apply, discovery, watchers,
//! reflectors and a controller. The server, which KUBECONFIG names, is restarted under them by the lever at RESTART_URL.

mod controller;
mod objects;
mod watching;

use std::{env, error::Error, future::Future, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::{
    Api, Client, ResourceExt,
    api::{ObjectMeta, PostParams},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep},
};

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// How long anything that is waited for may take on a slow machine.
const DEADLINE: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let client = Client::try_default().await?;
    let made = Namespace {
        metadata: ObjectMeta {
            generate_name: Some("rust-".into()),
            ..Default::default()
        },
        ..Default::default()
    };
    let namespace = Api::<Namespace>::all(client.clone())
        .create(&PostParams::default(), &made)
        .await?
        .name_any();
    let context = Context { client, namespace };
    match env::args().nth(1).unwrap_or_default().as_str() {
        "typed" => objects::typed(&context).await,
        "apply" => objects::apply(&context).await,
        "discovery" => objects::discovery(&context).await,
        "subresources" => objects::subresources(&context).await,
        "watchers" => watching::watchers(&context).await,
        "controller" => controller::controller(&context).await,
        other => Err(format!("no test is called {other:?}").into()),
    }
}

pub struct Context {
    pub client: Client,
    pub namespace: String,
}

impl Context {
    pub fn config_maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }
}

pub fn config_map(name: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            ..Default::default()
        },
        data: Some([("of".to_owned(), name.to_owned())].into()),
        ..Default::default()
    }
}

/// Fails with `what` unless it holds.
pub fn ensure(holds: bool, what: impl Into<String>) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(what.into().into())
    }
}

/// The code of the Status that a request is refused with; an error where it is not refused.
pub fn code<T>(answer: kube::Result<T>) -> Outcome<u16> {
    match answer {
        Ok(_) => Err("a request that must be refused succeeded".into()),
        Err(kube::Error::Api(status)) => Ok(status.code),
        Err(other) => Err(other.into()),
    }
}

/// Waits for a condition; an error ends the wait only when time is up.
pub async fn until<F, R>(what: &str, condition: F) -> Outcome
where
    F: Fn() -> R,
    R: Future<Output = Outcome<bool>>,
{
    let end = Instant::now() + DEADLINE;
    let mut last = String::new();
    while Instant::now() < end {
        match condition().await {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error) => last = error.to_string(),
        }
        sleep(Duration::from_millis(20)).await;
    }
    Err(format!("waited in vain: {what} (last error: {last})").into())
}

/// Ends the server and returns when it is back: `how` is "stop", as an operator ends it, or "kill".
pub async fn restart(how: &str) -> Outcome {
    let url = env::var("RESTART_URL")?;
    let host = url.trim_start_matches("http://");
    let mut connection = TcpStream::connect(host).await?;
    let request = format!(
        "POST /{how} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await?;
    ensure(
        answer.starts_with("HTTP/1.1 200"),
        format!("the server was not restarted: {answer}"),
    )
}
