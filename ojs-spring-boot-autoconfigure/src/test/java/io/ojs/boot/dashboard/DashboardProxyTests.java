package io.ojs.boot.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ojs.test.internal.browser.Browser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Behind a proxy that serves the application below another path, as gateways do, the
 * pages work without configuration.
 */
class DashboardProxyTests extends DashboardTest {

	private static final String PREFIX = "/apps/store";

	/** Those of a connection, and of its length. */
	private static final Set<String> OWN_HEADERS = Set.of("connection", "content-length", "host", "transfer-encoding",
			"upgrade", "http2-settings");

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpServer proxy;

	@Override
	OperatedApplication.Starter configure(OperatedApplication.Starter starter) {
		// For the login, as Spring Boot's reference has it: redirects, and the cookie of
		// the session, whose path is that of the application otherwise.
		return starter.property("server.forward-headers-strategy", "framework")
			.property("server.servlet.session.cookie.path", "/");
	}

	@BeforeAll
	void startProxy() throws IOException {
		this.proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.proxy.setExecutor(this.threads);
		this.proxy.createContext(PREFIX + "/", this::pass);
		this.proxy.start();
	}

	@AfterAll
	void stopProxy() {
		this.proxy.stop(0);
		this.threads.shutdownNow();
	}

	private void pass(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().toString().substring(PREFIX.length());
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.application.uri() + path))
			.method(exchange.getRequestMethod(),
					HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
		exchange.getRequestHeaders().forEach((name, values) -> {
			if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		request.header("X-Forwarded-Host", exchange.getRequestHeaders().getFirst("Host"))
			.header("X-Forwarded-Proto", "http")
			.header("X-Forwarded-Prefix", PREFIX);
		try (exchange) {
			HttpResponse<InputStream> answer = this.client.send(request.build(),
					HttpResponse.BodyHandlers.ofInputStream());
			answer.headers().map().forEach((name, values) -> {
				if (!OWN_HEADERS.contains(name)) {
					exchange.getResponseHeaders().put(name, List.copyOf(values));
				}
			});
			exchange.sendResponseHeaders(answer.statusCode(), 0);
			try (InputStream from = answer.body(); OutputStream to = exchange.getResponseBody()) {
				byte[] part = new byte[8192];
				for (int read = from.read(part); read >= 0; read = from.read(part)) {
					to.write(part, 0, read);
					to.flush(); // Events do not wait for one another.
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void pagesWorkBelowAnotherPath() {
		String base = "http://localhost:" + this.proxy.getAddress().getPort() + PREFIX;
		this.browser.logIn(base, "admin");
		this.browser.awaitText(".attention", "parcels");
		this.browser.awaitText(".connection", "Live");
		this.browser.press("g", "q");
		this.browser.awaitText("h1", "Queues");
		this.browser.awaitElement("[data-key='stock'] a");
		this.browser.find("[data-key='stock'] a").click();
		this.browser.awaitText("h1", "stock");
		assertThat(this.browser.location()).isEqualTo(base + "/ojs/ui/queue?name=stock");
		this.browser.press("p");
		this.browser.awaitText("dialog", "Pause stock?");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".page-note", "paused");
		this.browser.press("p");
		this.browser.awaitText("dialog", "Resume stock?");
		this.browser.press(Keys.ENTER);
		Browser.await("the queue to be resumed").until(() -> this.browser.text(".page-note").contains("active"));
	}

}
