"""An operator made with kopf: each snake gets a skin (a config map that it owns), and sheds it with a finalizer."""

import kopf
from kubernetes import client, config

GROUP = "python.example.com"


@kopf.on.startup()
def begin(settings: kopf.OperatorSettings, **_: object) -> None:
    settings.persistence.finalizer = f"{GROUP}/shed"
    # The server restarts under this operator: it tries again soon.
    settings.networking.error_backoffs = [0.2, 0.5, 1, 1, 1, 1, 1, 1, 1, 1]
    settings.watching.reconnect_backoff = 0.2
    config.load_kube_config()


@kopf.on.create(GROUP, "v1", "snakes")
@kopf.on.update(GROUP, "v1", "snakes", field="spec")
def grow(spec: kopf.Spec, name: str, namespace: str, patch: kopf.Patch, **_: object) -> None:
    skin = {"metadata": {"name": name}, "data": {"length": str(spec["size"])}}
    kopf.adopt(skin)
    core = client.CoreV1Api()
    try:
        core.create_namespaced_config_map(namespace, skin)
    except client.ApiException as error:
        if error.status != 409:
            raise
        core.patch_namespaced_config_map(name, namespace, skin)
    patch.status["size"] = spec["size"]


@kopf.on.delete(GROUP, "v1", "snakes")
def shed(name: str, namespace: str, **_: object) -> None:
    note = {"metadata": {"name": f"{name}-shed"}}
    client.CoreV1Api().create_namespaced_config_map(namespace, note)
