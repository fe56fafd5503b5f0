import io.kubernetes.client.Discovery;
import io.kubernetes.client.Exec;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.kubectl.Kubectl;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Configuration;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What programs made with Kubernetes' own Java client ask of a server, which is restarted under their informers. */
public final class Official {
  private final ApiClient client;
  private final CoreV1Api core;
  private final String namespace;

  private Official(ApiClient client) throws ApiException {
    this.client = client;
    core = new CoreV1Api(client);
    var made = new V1Namespace().metadata(new V1ObjectMeta().generateName("official-"));
    namespace = core.createNamespace(made).execute().getMetadata().getName();
  }

  public static void main(String[] args) throws Exception {
    var client = ClientBuilder.standard().build();
    // Watches last longer than this client waits for an answer by itself.
    client.setReadTimeout(0);
    Configuration.setDefaultApiClient(client);
    var test = new Official(client);
    test.objects();
    test.patches();
    test.discovery();
    test.leaderElection();
    test.informer();
    System.exit(0);
  }

  private V1ConfigMap configMap(String name) {
    return new V1ConfigMap().apiVersion("v1").kind("ConfigMap")
        .metadata(new V1ObjectMeta().name(name).namespace(namespace)).data(Map.of("of", name));
  }

  private void objects() throws Exception {
    var first = core.createNamespacedConfigMap(namespace, configMap("first")).execute();
    refused(409, () -> core.createNamespacedConfigMap(namespace, configMap("first")).execute());
    refused(404, () -> core.readNamespacedConfigMap("missing", namespace).execute());
    var next = configMap("first").metadata(first.getMetadata()).data(Map.of("of", "next"));
    core.replaceNamespacedConfigMap("first", namespace, next).execute();
    refused(409, () -> core.replaceNamespacedConfigMap("first", namespace, next).execute());
    for (var index = 0; index < 25; index++) {
      core.createNamespacedConfigMap(namespace, configMap("page-" + index)).execute();
    }
    var seen = 0;
    String token = null;
    do {
      var page = core.listNamespacedConfigMap(namespace).limit(10)._continue(token).execute();
      seen += (int) page.getItems().stream().filter(each -> each.getMetadata().getName().startsWith("page-")).count();
      token = page.getMetadata().getContinue();
    } while (token != null && !token.isEmpty());
    Server.ensure(seen == 25, seen + " of 25 in pages");
    core.deleteNamespacedConfigMap("first", namespace).execute();
  }

  private void patches() throws Exception {
    var apps = new AppsV1Api(client);
    apps.createNamespacedDeployment(namespace, deployment()).execute();
    patch(apps, V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":2}]");
    patch(apps, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"metadata\":{\"labels\":{\"tier\":\"one\"}}}");
    var image = "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"web:2\"}]}}}}";
    patch(apps, V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, image);
    var web = Kubectl.apply(V1Deployment.class).apiClient(client).fieldManager("java").forceConflict(true)
        .resource(deployment()).execute();
    Server.ensure(web.getSpec().getTemplate().getSpec().getContainers().get(0).getImage().equals("web:1"), "not applied");
    Kubectl.scale(V1Deployment.class).apiClient(client).namespace(namespace).name("web").replicas(4).execute();
    var scale = apps.readNamespacedDeploymentScale("web", namespace).execute();
    Server.ensure(scale.getSpec().getReplicas() == 4, "not scaled");
  }

  private void patch(AppsV1Api apps, String format, String text) throws ApiException {
    PatchUtils.patch(V1Deployment.class,
        () -> apps.patchNamespacedDeployment("web", namespace, new V1Patch(text)).buildCall(null), format, client);
  }

  private V1Deployment deployment() {
    var labels = Map.of("app", "web");
    var pod = new V1PodSpec().containers(List.of(new V1Container().name("web").image("web:1")));
    return new V1Deployment().apiVersion("apps/v1").kind("Deployment")
        .metadata(new V1ObjectMeta().name("web").namespace(namespace))
        .spec(new V1DeploymentSpec().selector(new V1LabelSelector().matchLabels(labels))
            .template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels)).spec(pod)));
  }

  private void discovery() throws Exception {
    Server.ensure(new VersionApi(client).getCode().execute().getMajor().equals("1"), "the version tells no 1");
    var found = new Discovery(client).findAll();
    Server.ensure(found.stream().anyMatch(each -> each.getKind().equals("Deployment")), "Deployment is not discovered");
    var dynamic = new DynamicKubernetesApi("", "v1", "configmaps", client);
    Server.ensure(dynamic.list(namespace).throwsApiException().getObject().getItems().size() >= 25, "not listed");
    Server.ensure(dynamic.get(namespace, "page-1").getObject().getRaw().has("data"), "a dynamic object lost its data");
    Server.ensure(dynamic.get(namespace, "missing").getHttpStatusCode() == 404, "found what is missing");
    refused(404, () -> new Exec(client).exec(namespace, "missing", new String[] {"date"}, false).waitFor());
  }

  private void leaderElection() throws Exception {
    var leads = new CountDownLatch(1);
    var config = new LeaderElectionConfig(new LeaseLock(namespace, "election", "one", client),
        Duration.ofSeconds(9), Duration.ofSeconds(6), Duration.ofSeconds(1));
    try (var elector = new LeaderElector(config)) {
      var run = new Thread(() -> elector.run(leads::countDown, () -> {}));
      run.setDaemon(true);
      run.start();
      Server.ensure(leads.await(Server.DEADLINE.toSeconds(), TimeUnit.SECONDS), "no leader");
    }
  }

  private void informer() throws Exception {
    var maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    var factory = new SharedInformerFactory(client);
    var informer = factory.sharedIndexInformerFor(maps, V1ConfigMap.class, 0, namespace);
    factory.startAllRegisteredInformers();
    Server.until("the informer has synced", informer::hasSynced);
    Server.ensure(informer.getIndexer().getByKey(namespace + "/page-24") != null, "an informer has not what was there");
    for (var how : new String[] {"stop", "kill"}) {
      var name = "after-" + how;
      Server.restart(how);
      Server.until("the server takes requests", () -> maps.create(configMap(name)).isSuccess());
      Server.until(name, () -> informer.getIndexer().getByKey(namespace + "/" + name) != null);
      maps.delete(namespace, name).throwsApiException();
      Server.until(name + " is gone", () -> informer.getIndexer().getByKey(namespace + "/" + name) == null);
    }
    factory.stopAllRegisteredInformers();
  }

  private interface Request {
    void send() throws Exception;
  }

  private static void refused(int code, Request request) throws Exception {
    try {
      request.send();
    } catch (ApiException error) {
      Server.ensure(error.getCode() == code, "refused with " + error.getCode() + ", not " + code + ": " + error.getResponseBody());
      return;
    }
    throw new AssertionError("a request that must be refused with " + code + " succeeded");
  }
}
