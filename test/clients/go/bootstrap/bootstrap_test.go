// Package bootstrap tests how a kubelet joins: with a bootstrap token it asks for a certificate, as client-go's helpers for
// kubelets do, and with the certificate it may see to its own node alone. An approver and a signer with the rules of
// kube-controller-manager stand in for that program.
package bootstrap

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/certificate/csr"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/utils/ptr"
	"keelson.test/clients/server"
)

const (
	tokenID     = "abcdef"
	tokenSecret = "0123456789abcdef"
	joiners     = "system:bootstrappers:test:joiners"
	perms       = "certificatesigningrequests"
)

var nodeUsages = []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageClientAuth}

func TestKubeletJoins(t *testing.T) {
	config := server.Config(t)
	admin := kubernetes.NewForConfigOrDie(config)
	allowJoining(t, admin)
	go approveAndSign(t.Context(), t, admin)

	token := anonymous(config)
	token.BearerToken = tokenID + "." + tokenSecret
	joining := kubernetes.NewForConfigOrDie(token)
	if _, err := joining.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("nodes by a bootstrap token: %v", err)
	}
	one := joined(t, config, joining, "one")
	two := joined(t, config, joining, "two")

	t.Run("its own node", func(t *testing.T) { ownNode(t, one, two) })
	t.Run("what its pods need", func(t *testing.T) { ownPods(t, admin, one, two) })
	t.Run("a new certificate", func(t *testing.T) { joined(t, config, one, "one") })
	t.Run("another's certificate", func(t *testing.T) { stranger(t, one) })
	t.Run("an unknown token", func(t *testing.T) {
		wrong := anonymous(config)
		wrong.BearerToken = tokenID + ".fedcba9876543210"
		_, err := kubernetes.NewForConfigOrDie(wrong).CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if !apierrors.IsUnauthorized(err) {
			t.Errorf("a token with another secret: %v", err)
		}
	})
}

// allowJoining makes the token, and gives its group what kubeadm gives to those who join.
func allowJoining(t *testing.T, admin kubernetes.Interface) {
	t.Helper()
	_, err := admin.CoreV1().Secrets("kube-system").Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "bootstrap-token-" + tokenID},
		Type:       corev1.SecretTypeBootstrapToken,
		StringData: map[string]string{
			"token-id": tokenID, "token-secret": tokenSecret, "usage-bootstrap-authentication": "true", "auth-extra-groups": joiners,
			"expiration": time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	bindings := map[string]string{
		"system:node-bootstrapper": joiners,
		"system:certificates.k8s.io:certificatesigningrequests:nodeclient":     joiners,
		"system:certificates.k8s.io:certificatesigningrequests:selfnodeclient": "system:nodes",
	}
	for role, group := range bindings {
		_, err := admin.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "joining-"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: group}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func anonymous(config *rest.Config) *rest.Config {
	bare := rest.AnonymousClientConfig(config)
	bare.QPS = -1
	return bare
}

// joined asks for a certificate of a node as its kubelet does, and returns a client that shows it.
func joined(t *testing.T, config *rest.Config, by kubernetes.Interface, node string) kubernetes.Interface {
	t.Helper()
	key, data := nodeRequest(t, node)
	duration := 2 * time.Hour
	name, uid, err := csr.RequestCertificateWithContext(t.Context(), by, data, "", certificatesv1.KubeAPIServerClientKubeletSignerName, &duration, nodeUsages, key)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), server.Deadline)
	defer cancel()
	certificate, err := csr.WaitForCertificate(ctx, by, name, uid)
	if err != nil {
		t.Fatal(err)
	}
	shown := anonymous(config)
	shown.CertData = certificate
	if shown.KeyData, err = keyutil.MarshalPrivateKeyToPEM(key); err != nil {
		t.Fatal(err)
	}
	return kubernetes.NewForConfigOrDie(shown)
}

func nodeRequest(t *testing.T, node string) (crypto.Signer, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	subject := pkix.Name{CommonName: "system:node:" + node, Organization: []string{"system:nodes"}}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: subject}, key)
	if err != nil {
		t.Fatal(err)
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: request})
}

func ownNode(t *testing.T, one, two kubernetes.Interface) {
	for name, client := range map[string]kubernetes.Interface{"one": one, "two": two} {
		made, err := client.CoreV1().Nodes().Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		made.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		if _, err := client.CoreV1().Nodes().UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
			t.Errorf("the status of %s: %v", name, err)
		}
		lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &name}}
		if _, err := client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Create(t.Context(), lease, metav1.CreateOptions{}); err != nil {
			t.Errorf("the lease of %s: %v", name, err)
		}
	}
	if _, err := one.CoreV1().Nodes().Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Errorf("its own node: %v", err)
	}
	other := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "two"}}
	if _, err := one.CoreV1().Nodes().UpdateStatus(t.Context(), other, metav1.UpdateOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the status of another node: %v", err)
	}
	third := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "three"}}
	if _, err := one.CoreV1().Nodes().Create(t.Context(), third, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("a third node: %v", err)
	}
	if _, err := one.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(t.Context(), "two", metav1.GetOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the lease of another node: %v", err)
	}
}

func ownPods(t *testing.T, admin, one, two kubernetes.Interface) {
	namespace := server.Namespace(t, admin)
	for _, name := range []string{"used", "unused"} {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := admin.CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := admin.CoreV1().Pods(namespace).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "pod"},
		Spec: corev1.PodSpec{
			NodeName:                     "one",
			AutomountServiceAccountToken: ptr.To(false),
			Containers:                   []corev1.Container{{Name: "c", Image: "image"}},
			Volumes:                      []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "used"}}}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	server.Until(t, "the node reads the secret of its pod", func() (bool, error) {
		_, err := one.CoreV1().Secrets(namespace).Get(t.Context(), "used", metav1.GetOptions{})
		return err == nil, err
	})
	if _, err := one.CoreV1().Secrets(namespace).Get(t.Context(), "unused", metav1.GetOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("a secret that no pod uses: %v", err)
	}
	if _, err := two.CoreV1().Secrets(namespace).Get(t.Context(), "used", metav1.GetOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the secret of another node's pod: %v", err)
	}
	if err := two.CoreV1().Pods(namespace).Delete(t.Context(), "pod", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}); !apierrors.IsForbidden(err) {
		t.Errorf("another node's pod deleted: %v", err)
	}
	if err := one.CoreV1().Pods(namespace).Delete(t.Context(), "pod", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)}); err != nil {
		t.Errorf("its own pod deleted: %v", err)
	}
	server.Until(t, "the node loses the secret with its pod", func() (bool, error) {
		_, err := one.CoreV1().Secrets(namespace).Get(t.Context(), "used", metav1.GetOptions{})
		return apierrors.IsForbidden(err), nil
	})
}

// stranger sees that a node gets no certificate of another: either its request is refused, or nobody approves it.
func stranger(t *testing.T, one kubernetes.Interface) {
	key, data := nodeRequest(t, "two")
	name, uid, err := csr.RequestCertificateWithContext(t.Context(), one, data, "", certificatesv1.KubeAPIServerClientKubeletSignerName, nil, nodeUsages, key)
	if apierrors.IsForbidden(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), server.Deadline)
	defer cancel()
	if _, err := csr.WaitForCertificate(ctx, one, name, uid); err == nil || ctx.Err() != nil {
		t.Errorf("another node's certificate: %v", err)
	}
}

// approveAndSign does for each request what kube-controller-manager does: it approves those whose owner may have them,
// denies the rest, and signs what is approved.
func approveAndSign(ctx context.Context, t *testing.T, admin kubernetes.Interface) {
	requests := admin.CertificatesV1().CertificateSigningRequests()
	watched, err := requests.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Error(err)
		return
	}
	defer watched.Stop()
	for event := range watched.ResultChan() {
		request, ok := event.Object.(*certificatesv1.CertificateSigningRequest)
		if !ok || event.Type == "DELETED" || len(request.Status.Certificate) > 0 {
			continue
		}
		if len(request.Status.Conditions) == 0 {
			err = decide(ctx, admin, request)
		} else if request.Status.Conditions[0].Type == certificatesv1.CertificateApproved {
			err = sign(ctx, admin, request)
		}
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}
}

func decide(ctx context.Context, admin kubernetes.Interface, request *certificatesv1.CertificateSigningRequest) error {
	parsed, err := parsedRequest(request)
	if err != nil {
		return err
	}
	subresource := "nodeclient"
	if parsed.Subject.CommonName == request.Spec.Username {
		subresource = "selfnodeclient"
	}
	extra := map[string]authorizationv1.ExtraValue{}
	for key, value := range request.Spec.Extra {
		extra[key] = authorizationv1.ExtraValue(value)
	}
	review, err := admin.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: request.Spec.Username, UID: request.Spec.UID, Groups: request.Spec.Groups, Extra: extra,
			ResourceAttributes: &authorizationv1.ResourceAttributes{Group: certificatesv1.GroupName, Resource: perms, Subresource: subresource, Verb: "create", Version: "*"},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	condition := certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "AutoApproved"}
	if !review.Status.Allowed {
		condition = certificatesv1.CertificateSigningRequestCondition{Type: certificatesv1.CertificateDenied, Status: corev1.ConditionTrue, Reason: "NotAllowed"}
	}
	request.Status.Conditions = append(request.Status.Conditions, condition)
	_, err = admin.CertificatesV1().CertificateSigningRequests().UpdateApproval(ctx, request.Name, request, metav1.UpdateOptions{})
	return err
}

func sign(ctx context.Context, admin kubernetes.Interface, request *certificatesv1.CertificateSigningRequest) error {
	parsed, err := parsedRequest(request)
	if err != nil {
		return err
	}
	authority, key, err := clientAuthority()
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return err
	}
	lasts := time.Hour
	if request.Spec.ExpirationSeconds != nil {
		lasts = csr.ExpirationSecondsToDuration(*request.Spec.ExpirationSeconds)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: parsed.Subject, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(lasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, BasicConstraintsValid: true,
	}
	if !slices.Contains(request.Spec.Usages, certificatesv1.UsageClientAuth) {
		template.ExtKeyUsage = nil
	}
	made, err := x509.CreateCertificate(rand.Reader, template, authority, parsed.PublicKey, key)
	if err != nil {
		return err
	}
	request.Status.Certificate = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	_, err = admin.CertificatesV1().CertificateSigningRequests().UpdateStatus(ctx, request, metav1.UpdateOptions{})
	return err
}

func parsedRequest(request *certificatesv1.CertificateSigningRequest) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(request.Spec.Request)
	return x509.ParseCertificateRequest(block.Bytes)
}

// clientAuthority is the authority whose clients the server believes, with its key.
func clientAuthority() (*x509.Certificate, crypto.Signer, error) {
	folder := os.Getenv("PKI")
	data, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, nil, err
	}
	block, _ := pem.Decode(data)
	authority, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, nil, err
	}
	key, err := keyutil.PrivateKeyFromFile(filepath.Join(folder, "ca.key"))
	if err != nil {
		return nil, nil, err
	}
	return authority, key.(crypto.Signer), nil
}
