package certmanager

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	apiutil "github.com/cert-manager/cert-manager/pkg/api/util"
	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	certmanagermeta "github.com/cert-manager/cert-manager/pkg/apis/meta/v1"
)

const team = "team"

func TestCertManager(t *testing.T) {
	it := startOperator(t)
	must(t, it.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: team}}))
	it.bootstrapAuthority(t)
	t.Run("a certificate is issued, and again when it is asked for", it.issueAndRenew)
	t.Run("the webhook refuses what the definitions cannot", it.refuse)
	t.Run("requests name who made them", it.identify)
	t.Run("an ingress gets its certificate, which goes with it", it.shim)
	t.Run("Kubernetes' own signing requests are signed", it.sign)
}

// bootstrapAuthority makes an authority of one's own: a self-signed certificate, and an issuer of what it signs.
func (it *cluster) bootstrapAuthority(t *testing.T) {
	self := &certmanagerv1.ClusterIssuer{
		ObjectMeta: metav1.ObjectMeta{Name: "self"},
		Spec:       certmanagerv1.IssuerSpec{IssuerConfig: certmanagerv1.IssuerConfig{SelfSigned: &certmanagerv1.SelfSignedIssuer{}}},
	}
	it.eventually(t, "the webhook has a certificate of its own and answers", func(ctx context.Context) bool {
		return it.Create(ctx, self) == nil
	})
	must(t, it.Create(t.Context(), &certmanagerv1.Certificate{
		ObjectMeta: metav1.ObjectMeta{Namespace: operatorNamespace, Name: "authority"},
		Spec: certmanagerv1.CertificateSpec{
			IsCA: true, CommonName: "an authority", SecretName: "authority",
			PrivateKey: &certmanagerv1.CertificatePrivateKey{Algorithm: certmanagerv1.ECDSAKeyAlgorithm, Size: 256},
			IssuerRef:  certmanagermeta.ObjectReference{Kind: "ClusterIssuer", Name: "self"},
		},
	}))
	must(t, it.Create(t.Context(), &certmanagerv1.ClusterIssuer{
		ObjectMeta: metav1.ObjectMeta{Name: "authority"},
		Spec: certmanagerv1.IssuerSpec{IssuerConfig: certmanagerv1.IssuerConfig{
			CA: &certmanagerv1.CAIssuer{SecretName: "authority"},
		}},
	}))
	it.eventually(t, "the authority is an issuer", func(ctx context.Context) bool {
		var issuer certmanagerv1.ClusterIssuer
		ready := certmanagerv1.IssuerCondition{Type: certmanagerv1.IssuerConditionReady, Status: certmanagermeta.ConditionTrue}
		return it.Get(ctx, client.ObjectKey{Name: "authority"}, &issuer) == nil && apiutil.IssuerHasCondition(&issuer, ready)
	})
}

func (it *cluster) issueAndRenew(t *testing.T) {
	wanted := certificate("web", "web.example")
	must(t, it.Create(t.Context(), wanted))
	issued := it.awaitReady(t, "web", 1)
	first := it.secret(t, "web")
	it.verify(t, first, "web.example")
	if len(first.OwnerReferences) != 1 || first.OwnerReferences[0].UID != issued.UID {
		t.Errorf("owners of the secret: %v", first.OwnerReferences)
	}

	// What the command `cmctl renew` does.
	it.eventually(t, "renewal is asked for, while controllers write the status too", func(ctx context.Context) bool {
		must(t, it.Get(ctx, client.ObjectKeyFromObject(issued), issued))
		apiutil.SetCertificateCondition(issued, issued.Generation, certmanagerv1.CertificateConditionIssuing,
			certmanagermeta.ConditionTrue, "ManuallyTriggered", "asked for")
		return it.Status().Update(ctx, issued) == nil
	})
	it.awaitReady(t, "web", 2)
	second := it.secret(t, "web")
	it.verify(t, second, "web.example")
	if string(first.Data["tls.crt"]) == string(second.Data["tls.crt"]) {
		t.Error("renewed, but the certificate is the same")
	}

	issued = it.awaitReady(t, "web", 2)
	patch := client.MergeFrom(issued.DeepCopy())
	issued.Spec.DNSNames = append(issued.Spec.DNSNames, "www.example")
	must(t, it.Patch(t.Context(), issued, patch))
	it.awaitReady(t, "web", 3)
	it.verify(t, it.secret(t, "web"), "www.example")
	var requests certmanagerv1.CertificateRequestList
	must(t, it.List(t.Context(), &requests, client.InNamespace(team)))
	for _, request := range requests.Items {
		if !metav1.IsControlledBy(&request, issued) {
			t.Errorf("%s is not controlled by its certificate", request.Name)
		}
	}
}

func (it *cluster) refuse(t *testing.T) {
	odd := certificate("odd", "odd.example")
	odd.Spec.PrivateKey.Size = 123
	err := it.Create(t.Context(), odd)
	const complaint = `admission webhook "webhook.cert-manager.io" denied the request: spec.privateKey.size: Unsupported value: 123`
	if err == nil || !strings.Contains(err.Error(), complaint) {
		t.Errorf("a key of 123 bits: %v", err)
	}
}

// identify checks what the mutating webhook writes from the review's user, and what nobody may change then.
func (it *cluster) identify(t *testing.T) {
	request := &certmanagerv1.CertificateRequest{
		ObjectMeta: metav1.ObjectMeta{Namespace: team, GenerateName: "by-hand-"},
		Spec: certmanagerv1.CertificateRequestSpec{
			Request:   signingRequest(t, "by-hand.example"),
			IssuerRef: certmanagermeta.ObjectReference{Kind: "ClusterIssuer", Name: "authority"},
		},
	}
	must(t, it.Create(t.Context(), request))
	if request.Spec.Username == "" || len(request.Spec.Groups) == 0 {
		t.Errorf("made by %q of %v", request.Spec.Username, request.Spec.Groups)
	}
	it.eventually(t, "the request is approved and signed", func(ctx context.Context) bool {
		must(t, it.Get(ctx, client.ObjectKeyFromObject(request), request))
		return len(request.Status.Certificate) > 0
	})
	request.Spec.Username = "somebody-else"
	if err := it.Update(t.Context(), request); err == nil || !strings.Contains(err.Error(), "spec.username: Forbidden") {
		t.Errorf("another user: %v", err)
	}
}

func (it *cluster) shim(t *testing.T) {
	prefix := networkingv1.PathTypePrefix
	backend := networkingv1.IngressBackend{
		Service: &networkingv1.IngressServiceBackend{Name: "shop", Port: networkingv1.ServiceBackendPort{Number: 80}},
	}
	must(t, it.Create(t.Context(), &networkingv1.Ingress{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: team, Name: "shop",
			Annotations: map[string]string{certmanagerv1.IngressClusterIssuerNameAnnotationKey: "authority"},
		},
		Spec: networkingv1.IngressSpec{
			TLS: []networkingv1.IngressTLS{{Hosts: []string{"shop.example"}, SecretName: "shop-tls"}},
			Rules: []networkingv1.IngressRule{{Host: "shop.example", IngressRuleValue: networkingv1.IngressRuleValue{
				HTTP: &networkingv1.HTTPIngressRuleValue{
					Paths: []networkingv1.HTTPIngressPath{{Path: "/", PathType: &prefix, Backend: backend}},
				},
			}}},
		},
	}))
	it.awaitReady(t, "shop-tls", 1)
	it.verify(t, it.secret(t, "shop-tls"), "shop.example")
}

func (it *cluster) sign(t *testing.T) {
	clients, err := kubernetes.NewForConfig(it.config)
	must(t, err)
	requests := clients.CertificatesV1().CertificateSigningRequests()
	made, err := requests.Create(t.Context(), &certificatesv1.CertificateSigningRequest{
		ObjectMeta: metav1.ObjectMeta{Name: "kubernetes-own"},
		Spec: certificatesv1.CertificateSigningRequestSpec{
			Request:    signingRequest(t, "own.example"),
			SignerName: "clusterissuers.cert-manager.io/authority",
			Usages:     []certificatesv1.KeyUsage{certificatesv1.UsageServerAuth},
		},
	}, metav1.CreateOptions{})
	must(t, err)
	made.Status.Conditions = append(made.Status.Conditions, certificatesv1.CertificateSigningRequestCondition{
		Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "Tested",
	})
	_, err = requests.UpdateApproval(t.Context(), made.Name, made, metav1.UpdateOptions{})
	must(t, err)
	it.eventually(t, "the signing request is signed", func(ctx context.Context) bool {
		made, err = requests.Get(ctx, made.Name, metav1.GetOptions{})
		must(t, err)
		return len(made.Status.Certificate) > 0
	})
}

func certificate(name, host string) *certmanagerv1.Certificate {
	return &certmanagerv1.Certificate{
		ObjectMeta: metav1.ObjectMeta{Namespace: team, Name: name},
		Spec: certmanagerv1.CertificateSpec{
			SecretName: name, DNSNames: []string{host},
			Duration:    &metav1.Duration{Duration: 48 * time.Hour},
			RenewBefore: &metav1.Duration{Duration: time.Hour},
			PrivateKey:  &certmanagerv1.CertificatePrivateKey{Algorithm: certmanagerv1.ECDSAKeyAlgorithm, Size: 256},
			IssuerRef:   certmanagermeta.ObjectReference{Kind: "ClusterIssuer", Name: "authority"},
		},
	}
}

// awaitReady is the certificate once this revision of it is issued and stored.
func (it *cluster) awaitReady(t *testing.T, name string, revision int) *certmanagerv1.Certificate {
	t.Helper()
	var found certmanagerv1.Certificate
	ready := certmanagerv1.CertificateCondition{Type: certmanagerv1.CertificateConditionReady, Status: certmanagermeta.ConditionTrue}
	issuing := certmanagerv1.CertificateCondition{Type: certmanagerv1.CertificateConditionIssuing, Status: certmanagermeta.ConditionTrue}
	it.eventually(t, name+" is ready", func(ctx context.Context) bool {
		return it.Get(ctx, client.ObjectKey{Namespace: team, Name: name}, &found) == nil &&
			found.Status.Revision != nil && *found.Status.Revision == revision &&
			apiutil.CertificateHasConditionWithObservedGeneration(&found, certmanagerv1.CertificateCondition{
				Type: ready.Type, Status: ready.Status, ObservedGeneration: found.Generation,
			}) && !apiutil.CertificateHasCondition(&found, issuing)
	})
	return &found
}

func (it *cluster) secret(t *testing.T, name string) *corev1.Secret {
	t.Helper()
	var found corev1.Secret
	must(t, it.Get(t.Context(), client.ObjectKey{Namespace: team, Name: name}, &found))
	return &found
}

// verify checks that key and certificate belong together, and that the authority vouches for the host.
func (it *cluster) verify(t *testing.T, secret *corev1.Secret, host string) {
	t.Helper()
	pair, err := tls.X509KeyPair(secret.Data["tls.crt"], secret.Data["tls.key"])
	must(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(secret.Data["ca.crt"])
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host})
	must(t, err)
}

func signingRequest(t *testing.T, host string) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.CertificateRequest{Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}}
	der, err := x509.CreateCertificateRequest(rand.Reader, template, key)
	must(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})
}
