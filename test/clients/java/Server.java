import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/** What both programs share: the lever at RESTART_URL that restarts the server, waiting, and failing. */
final class Server {
  /** How long anything that is waited for may take on a slow machine. */
  static final Duration DEADLINE = Duration.ofSeconds(60);

  private Server() {}

  /** Ends the server and returns when it is back: {@code how} is "stop", as an operator ends it, or "kill". */
  static void restart(String how) throws IOException, InterruptedException {
    var lever = URI.create(System.getenv("RESTART_URL") + "/" + how);
    var request = HttpRequest.newBuilder(lever).POST(HttpRequest.BodyPublishers.noBody()).build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    ensure(answer.statusCode() == 200, "the server was not restarted: " + answer.body());
  }

  /** Waits for a condition; an exception ends the wait only when time is up. */
  static void until(String what, Callable<Boolean> condition) throws InterruptedException {
    Exception last = null;
    for (var end = Instant.now().plus(DEADLINE); Instant.now().isBefore(end); Thread.sleep(20)) {
      try {
        if (condition.call()) return;
      } catch (Exception error) {
        last = error;
      }
    }
    throw new AssertionError("waited in vain: " + what, last);
  }

  static void ensure(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }
}
