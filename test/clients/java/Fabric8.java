import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What programs made with fabric8's client ask of a server, which is restarted under their informers. */
public final class Fabric8 {
  private final KubernetesClient client;
  private final String namespace;

  private Fabric8(KubernetesClient client) {
    this.client = client;
    var made = new NamespaceBuilder().withNewMetadata().withGenerateName("fabric8-").endMetadata().build();
    namespace = client.resource(made).create().getMetadata().getName();
  }

  public static void main(String[] args) throws Exception {
    try (var client = new KubernetesClientBuilder().build()) {
      var test = new Fabric8(client);
      test.objects();
      test.apply();
      test.customResources();
      test.rest();
      test.leaderElection();
      test.informer();
    }
  }

  private ConfigMap configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().addToData("of", name).build();
  }

  private void objects() {
    var maps = client.configMaps().inNamespace(namespace);
    var first = maps.resource(configMap("first")).create();
    refused(409, () -> maps.resource(configMap("first")).create());
    Server.ensure(maps.withName("missing").get() == null, "found what is missing");
    var edited = maps.withName("first").edit(map -> new ConfigMapBuilder(map).addToData("colour", "red").build());
    Server.ensure(edited.getData().size() == 2, "an edit was lost");
    refused(409, () -> maps.resource(first).lockResourceVersion().update());
    var merged = maps.withName("first").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"of\":null}}");
    Server.ensure(merged.getData().equals(Map.of("colour", "red")), "a merge patch was lost");
    var labels = "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"tier\":\"one\"}}]";
    maps.withName("first").patch(PatchContext.of(PatchType.JSON), labels);
    Server.ensure(maps.withLabel("tier", "one").list().getItems().size() == 1, "not selected by its label");
    maps.withLabel("tier", "one").delete();
    Server.ensure(maps.withName("first").get() == null, "what a selector deletes is there");
  }

  private void apply() {
    var deployments = client.apps().deployments().inNamespace(namespace);
    deployments.resource(deployment(2)).fieldManager("one").serverSideApply();
    refused(409, () -> deployments.resource(deployment(3)).fieldManager("two").serverSideApply());
    var taken = deployments.resource(deployment(3)).fieldManager("two").forceConflicts().serverSideApply();
    Server.ensure(taken.getSpec().getReplicas() == 3, "not taken by force");
    Server.ensure(deployments.withName("web").scale(4).getSpec().getReplicas() == 4, "not scaled");
    var seen = deployments.withName("web").editStatus(web -> new DeploymentBuilder(web)
        .withNewStatus().withObservedGeneration(1L).withReplicas(4).endStatus().build());
    Server.ensure(seen.getStatus().getReplicas() == 4, "the status was not written");
    deployments.withName("web").rolling().restart();
    var template = deployments.withName("web").get().getSpec().getTemplate().getMetadata();
    Server.ensure(!template.getAnnotations().isEmpty(), "a restart leaves its annotation");
  }

  private Deployment deployment(int replicas) {
    return new DeploymentBuilder()
        .withNewMetadata().withName("web").endMetadata()
        .withNewSpec().withReplicas(replicas)
        .withNewSelector().addToMatchLabels("app", "web").endSelector()
        .withNewTemplate().withNewMetadata().addToLabels("app", "web").endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("web:1").endContainer().endSpec()
        .endTemplate().endSpec().build();
  }

  private void customResources() {
    var definition = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: { name: notes.fabric8.example.com }
        spec:
          group: fabric8.example.com
          scope: Namespaced
          names: { plural: notes, singular: note, kind: Note }
          versions:
            - name: v1
              served: true
              storage: true
              subresources: { status: {} }
              schema:
                openAPIV3Schema:
                  type: object
                  properties:
                    spec: { type: object, properties: { text: { type: string, maxLength: 9 } } }
                    status: { type: object, x-kubernetes-preserve-unknown-fields: true }
        """;
    var loaded = client.load(new ByteArrayInputStream(definition.getBytes(StandardCharsets.UTF_8)));
    loaded.serverSideApply();
    client.apiextensions().v1().customResourceDefinitions().withName("notes.fabric8.example.com")
        .waitUntilCondition(Fabric8::isEstablished, Server.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    var context = new ResourceDefinitionContext.Builder()
        .withGroup("fabric8.example.com").withVersion("v1").withKind("Note").withPlural("notes").withNamespaced(true);
    var notes = client.genericKubernetesResources(context.build()).inNamespace(namespace);
    notes.resource(note("one", "hello")).create();
    refused(422, () -> notes.resource(note("two", "far too long")).create());
    var told = notes.withName("one").editStatus(one -> {
      one.setAdditionalProperty("status", Map.of("read", true));
      return one;
    });
    Server.ensure(Boolean.TRUE.equals(told.get("status", "read")), "the status was not written");
    Server.ensure(notes.list().getItems().size() == 1, "not one note");
  }

  /** A definition that has just been made has a status without conditions. */
  private static boolean isEstablished(CustomResourceDefinition definition) {
    var status = definition == null ? null : definition.getStatus();
    return status != null && status.getConditions() != null && status.getConditions().stream()
        .anyMatch(one -> one.getType().equals("Established") && one.getStatus().equals("True"));
  }

  private GenericKubernetesResource note(String name, String text) {
    var note = new GenericKubernetesResource();
    note.setApiVersion("fabric8.example.com/v1");
    note.setKind("Note");
    note.setMetadata(configMap(name).getMetadata());
    note.setAdditionalProperty("spec", Map.of("text", text));
    return note;
  }

  private void rest() throws Exception {
    Server.ensure(client.getKubernetesVersion().getMajor().equals("1"), "the version tells no 1");
    Server.ensure(client.getApiGroups().getGroups().size() > 10, "few groups are discovered");
    Server.ensure(client.supports(Deployment.class), "Deployment is not discovered");
    Server.ensure(client.hasApiGroup("fabric8.example.com", true), "the custom group is not discovered");
    var review = new SelfSubjectAccessReviewBuilder().withNewSpec().withNewResourceAttributes()
        .withNamespace(namespace).withVerb("create").withResource("pods").endResourceAttributes().endSpec().build();
    Server.ensure(client.resource(review).create().getStatus().getAllowed(), "the administrator may not create pods");

    var pods = client.pods().inNamespace(namespace);
    Server.until("the service account is there",
        () -> client.serviceAccounts().inNamespace(namespace).withName("default").get() != null);
    pods.resource(new PodBuilder().withNewMetadata().withName("web").endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("web:1").endContainer().endSpec().build()).create();
    Server.ensure(pods.withName("web").getLog().isEmpty(), "logs of a pod without a node are empty");
    try (var run = pods.withName("web").writingOutput(new ByteArrayOutputStream()).exec("date")) {
      run.exitCode().get(Server.DEADLINE.toSeconds(), TimeUnit.SECONDS);
      throw new AssertionError("a command ran without a node");
    } catch (KubernetesClientException | ExecutionException expected) {
      // That is the answer.
    }
    Server.ensure(pods.withName("web").evict(), "the pod was not evicted");
  }

  private void leaderElection() throws Exception {
    var leads = new CountDownLatch(1);
    var lead = client.leaderElector().withConfig(new LeaderElectionConfigBuilder()
        .withName("election").withLock(new LeaseLock(namespace, "election", "one")).withReleaseOnCancel(true)
        .withLeaseDuration(Duration.ofSeconds(9)).withRenewDeadline(Duration.ofSeconds(6))
        .withRetryPeriod(Duration.ofSeconds(1))
        .withLeaderCallbacks(new LeaderCallbacks(leads::countDown, () -> {}, leader -> {})).build()).build().start();
    Server.ensure(leads.await(Server.DEADLINE.toSeconds(), TimeUnit.SECONDS), "no leader");
    lead.cancel(true);
    var leases = client.leases().inNamespace(namespace);
    Server.until("the lease is released", () -> {
      var holder = leases.withName("election").get().getSpec().getHolderIdentity();
      return holder == null || holder.isEmpty();
    });
  }

  private void informer() throws Exception {
    var maps = client.configMaps().inNamespace(namespace);
    for (var index = 0; index < 100; index++) maps.resource(configMap("first-" + index)).create();
    try (var informer = maps.runnableInformer(0)) {
      informer.start().toCompletableFuture().get(Server.DEADLINE.toSeconds(), TimeUnit.SECONDS);
      Server.ensure(informer.getStore().getByKey(namespace + "/first-99") != null, "an informer has not what was there");
      for (var how : new String[] {"stop", "kill"}) {
        Server.restart(how);
        Server.until("the server takes requests", () -> maps.resource(configMap("after-" + how)).serverSideApply() != null);
        Server.until("after-" + how, () -> informer.getStore().getByKey(namespace + "/after-" + how) != null);
        maps.withName("after-" + how).delete();
        Server.until("after-" + how + " is gone", () -> informer.getStore().getByKey(namespace + "/after-" + how) == null);
      }
    }
  }

  private static void refused(int code, Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException error) {
      Server.ensure(error.getCode() == code, "refused with " + error.getCode() + ", not " + code + ": " + error.getMessage());
      return;
    }
    throw new AssertionError("a request that must be refused with " + code + " succeeded");
  }
}
