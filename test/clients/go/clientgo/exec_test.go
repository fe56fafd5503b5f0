package clientgo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/apimachinery/pkg/util/httpstream/spdy"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	client "k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"keelson.test/clients/server"
)

// kubelet speaks SPDY only, as kubelets do for version 5. A command is `cat`, which copies its input, `size`, which
// writes the first size of its terminal, or `exit` with a code.
func kubelet(t *testing.T, protocols ...string) (string, int32) {
	served := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("command") == "refuse" {
			http.Error(w, "no such container\n", http.StatusNotFound)
			return
		}
		if _, err := httpstream.Handshake(r, w, protocols); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		streams := make(chan httpstream.Stream, 8)
		connection := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
			streams <- s
			return nil
		})
		if connection == nil {
			return
		}
		defer connection.Close()
		query := r.URL.Query()
		wanted := 1
		for _, each := range []string{"input", "output", "error", "tty"} {
			if query.Has(each) && !(each == "error" && query.Has("tty")) {
				wanted++
			}
		}
		opened := map[string]httpstream.Stream{}
		for len(opened) < wanted {
			s := <-streams
			opened[s.Headers().Get(corev1.StreamType)] = s
		}
		runCommand(query["command"], opened)
	}))
	t.Cleanup(served.Close)
	address, err := url.Parse(served.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		t.Fatal(err)
	}
	return address.Hostname(), int32(port)
}

func runCommand(command []string, streams map[string]httpstream.Stream) {
	status := metav1.Status{Status: metav1.StatusSuccess}
	switch command[0] {
	case "cat":
		_, _ = io.Copy(streams["stdout"], streams["stdin"])
		if stderr := streams["stderr"]; stderr != nil {
			_, _ = fmt.Fprint(stderr, "end of input")
		}
	case "size":
		var size client.TerminalSize
		_ = json.NewDecoder(streams["resize"]).Decode(&size)
		_, _ = fmt.Fprintf(streams["stdout"], "%dx%d", size.Width, size.Height)
	case "exit":
		status = metav1.Status{
			Status: metav1.StatusFailure, Reason: remotecommand.NonZeroExitCodeReason, Message: "the command failed",
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: remotecommand.ExitCodeCauseType, Message: command[1]}}},
		}
	case "fail":
		status = metav1.Status{Status: metav1.StatusFailure, Message: "the runtime is gone"}
	}
	_ = json.NewEncoder(streams["error"]).Encode(status)
	for _, each := range streams {
		_ = each.Close()
	}
}

// TestExec: client-go's WebSocket executor, which offers version 5 only, with a kubelet that speaks SPDY only.
func TestExec(t *testing.T) {
	for _, version := range []string{remotecommand.StreamProtocolV5Name, remotecommand.StreamProtocolV4Name} {
		t.Run(version, func(t *testing.T) { execs(t, version) })
	}
}

func execs(t *testing.T, version string) {
	config := server.Config(t)
	c := kubernetes.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)
	host, port := kubelet(t, version)
	node, err := c.CoreV1().Nodes().Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{})
	must(t, err)
	t.Cleanup(func() { _ = c.CoreV1().Nodes().Delete(t.Context(), ns, metav1.DeleteOptions{}) })
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: host}}
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = port
	_, err = c.CoreV1().Nodes().UpdateStatus(t.Context(), node, metav1.UpdateOptions{})
	must(t, err)
	_, err = c.CoreV1().Pods(ns).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{NodeName: ns, Containers: []corev1.Container{{Name: "main", Image: "example.com/main"}}},
	}, metav1.CreateOptions{})
	must(t, err)

	run := func(options client.StreamOptions, command ...string) error {
		t.Helper()
		address := c.CoreV1().RESTClient().Get().Resource("pods").Namespace(ns).Name("web").SubResource("exec").
			VersionedParams(&corev1.PodExecOptions{
				Command: command, Stdin: options.Stdin != nil, Stdout: options.Stdout != nil, Stderr: options.Stderr != nil,
				TTY: options.Tty,
			}, scheme.ParameterCodec).URL()
		executor, err := client.NewWebSocketExecutor(config, "GET", address.String())
		must(t, err)
		return executor.StreamWithContext(t.Context(), options)
	}

	const large = 3 << 20
	text := strings.Repeat("0123456789abcdef", large/16)
	var stdout, stderr bytes.Buffer
	err = run(client.StreamOptions{Stdin: strings.NewReader(text), Stdout: &stdout, Stderr: &stderr}, "cat")
	if err != nil || stdout.String() != text || stderr.String() != "end of input" {
		t.Errorf("%d of %d bytes, %q, %v", stdout.Len(), large, stderr.String(), err)
	}

	stdout.Reset()
	err = run(client.StreamOptions{Stdout: &stdout, Tty: true, TerminalSizeQueue: terminal{{Width: 120, Height: 40}}.queue()}, "size")
	if err != nil || stdout.String() != "120x40" {
		t.Errorf("the terminal is %q, %v", stdout.String(), err)
	}

	var exit exec.CodeExitError
	if err = run(client.StreamOptions{Stdout: io.Discard}, "exit", "3"); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("not an exit with 3: %v", err)
	}
	for command, want := range map[string]string{
		"fail":   "Internal error occurred: the runtime is gone",
		"refuse": "Internal error occurred: unable to upgrade connection: no such container",
	} {
		if err = run(client.StreamOptions{Stdout: io.Discard}, command); err == nil || err.Error() != want {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// terminal is the sizes that it has, one after the other.
type terminal []client.TerminalSize

func (sizes terminal) queue() *sizeQueue {
	return &sizeQueue{sizes: sizes, ended: time.After(time.Minute)}
}

type sizeQueue struct {
	sizes []client.TerminalSize
	ended <-chan time.Time
}

func (q *sizeQueue) Next() *client.TerminalSize {
	if len(q.sizes) == 0 {
		<-q.ended
		return nil
	}
	next := q.sizes[0]
	q.sizes = q.sizes[1:]
	return &next
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
