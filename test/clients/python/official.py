"""The official Python client: typed objects, custom objects, the dynamic client, watches, patches and apply."""

import sys

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

GROUP = "python.example.com"
NAMESPACE = "python"


def main(kubeconfig: str) -> None:
    config.load_kube_config(kubeconfig)
    core = client.CoreV1Api()
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
    typed_objects(core)
    watches(core)
    deployments(client.AppsV1Api())
    errors(core)
    custom_objects()
    dynamic_client()
    core.delete_namespace(NAMESPACE)


def config_map(name: str) -> client.V1ConfigMap:
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"by": "python"}), data={"a": "b"})


def typed_objects(core: client.CoreV1Api) -> None:
    for name in ("one", "two", "three"):
        made = core.create_namespaced_config_map(NAMESPACE, config_map(name))
        assert made.metadata.uid and made.metadata.creation_timestamp.tzinfo, made.metadata
    made.data["c"] = "d"
    replaced = core.replace_namespaced_config_map("three", NAMESPACE, made)
    assert replaced.data == {"a": "b", "c": "d"}, replaced.data
    page = core.list_namespaced_config_map(NAMESPACE, label_selector="by=python", limit=2)
    rest = core.list_namespaced_config_map(NAMESPACE, label_selector="by=python", limit=2, _continue=page.metadata._continue)
    names = [item.metadata.name for item in page.items + rest.items]
    assert names == ["one", "three", "two"], names
    core.create_namespaced_secret(NAMESPACE, client.V1Secret(metadata=client.V1ObjectMeta(name="s"), string_data={"k": "v"}))
    assert core.read_namespaced_secret("s", NAMESPACE).data == {"k": "dg=="}


def watches(core: client.CoreV1Api) -> None:
    start = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.create_namespaced_config_map(NAMESPACE, config_map("watched"))
    core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"a": None, "e": "f"}})
    core.delete_namespaced_config_map("watched", NAMESPACE)
    seen = []
    stream = watch.Watch()
    events = stream.stream(core.list_namespaced_config_map, NAMESPACE, resource_version=start, timeout_seconds=30)
    for event in events:
        seen.append((event["type"], event["object"].metadata.name, event["object"].data))
        if event["type"] == "DELETED":
            stream.stop()
    assert seen == [
        ("ADDED", "watched", {"a": "b"}),
        ("MODIFIED", "watched", {"e": "f"}),
        ("DELETED", "watched", {"e": "f"}),
    ], seen


def deployments(apps: client.AppsV1Api) -> None:
    labels = {"app": "web"}
    container = client.V1Container(name="web", image="example.com/web:1")
    spec = client.V1DeploymentSpec(
        replicas=1,
        selector=client.V1LabelSelector(match_labels=labels),
        template=client.V1PodTemplateSpec(
            metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(containers=[container])
        ),
    )
    apps.create_namespaced_deployment(NAMESPACE, client.V1Deployment(metadata=client.V1ObjectMeta(name="web"), spec=spec))
    # A dictionary goes as a strategic merge patch, a list as a JSON patch.
    sidecar = {"name": "sidecar", "image": "example.com/sidecar:1"}
    patch = {"spec": {"template": {"spec": {"containers": [sidecar]}}}}
    patched = apps.patch_namespaced_deployment("web", NAMESPACE, patch)
    assert len(patched.spec.template.spec.containers) == 2, patched.spec.template.spec
    patched = apps.patch_namespaced_deployment("web", NAMESPACE, [{"op": "replace", "path": "/spec/replicas", "value": 3}])
    assert patched.spec.replicas == 3
    scale = apps.read_namespaced_deployment_scale("web", NAMESPACE)
    scale.spec.replicas = 4
    assert apps.replace_namespaced_deployment_scale("web", NAMESPACE, scale).spec.replicas == 4


def errors(core: client.CoreV1Api) -> None:
    for status, reason, call in (
        (404, "NotFound", lambda: core.read_namespaced_pod("none", NAMESPACE)),
        (409, "AlreadyExists", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("one"))),
        (422, "Invalid", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("No Name"))),
    ):
        try:
            call()
        except ApiException as error:
            assert error.status == status and f'"reason":"{reason}"' in error.body, error
        else:
            raise AssertionError(f"no {reason}")


def custom_objects() -> None:
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3}}},
            "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
        },
    }
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}},
    }
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"snakes.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": "snakes", "kind": "Snake"},
            "versions": [version],
        },
    }
    extensions = client.ApiextensionsV1Api()
    made = extensions.create_custom_resource_definition(definition)
    for event in watch.Watch().stream(
        extensions.list_custom_resource_definition,
        field_selector=f"metadata.name={made.metadata.name}",
        timeout_seconds=30,
    ):
        conditions = event["object"].status.conditions or []
        if any(condition.type == "Established" and condition.status == "True" for condition in conditions):
            break
    custom = client.CustomObjectsApi()
    place = {"group": GROUP, "version": "v1", "namespace": NAMESPACE, "plural": "snakes"}
    snake = {"apiVersion": f"{GROUP}/v1", "kind": "Snake", "metadata": {"name": "ka"}}
    assert custom.create_namespaced_custom_object(**place, body=snake | {"spec": {}})["spec"] == {"size": 3}
    custom.patch_namespaced_custom_object(**place, name="ka", body={"spec": {"size": 5}})
    custom.patch_namespaced_custom_object_status(**place, name="ka", body={"status": {"ready": True}})
    found = custom.list_namespaced_custom_object(**place)["items"]
    assert [(each["spec"], each["status"]) for each in found] == [({"size": 5}, {"ready": True})], found


def dynamic_client() -> None:
    resources = dynamic.DynamicClient(client.ApiClient())
    snakes = resources.resources.get(api_version=f"{GROUP}/v1", kind="Snake")
    manifest = {
        "apiVersion": f"{GROUP}/v1",
        "kind": "Snake",
        "metadata": {"name": "ka", "namespace": NAMESPACE},
        "spec": {"size": 7},
    }
    try:
        snakes.server_side_apply(body=manifest, field_manager="python")
    except dynamic.exceptions.ConflictError:
        pass
    else:
        raise AssertionError("no conflict")
    applied = snakes.server_side_apply(body=manifest, field_manager="python", force_conflicts=True)
    assert applied.spec.size == 7, applied
    snakes.delete(name="ka", namespace=NAMESPACE)
    assert snakes.get(namespace=NAMESPACE).items == []


main(sys.argv[1])
