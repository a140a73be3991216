package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.ojs.boot.it.FuzzedRequests.Fuzzed;
import io.ojs.boot.it.RawHttp.Reply;
import io.ojs.internal.json.JsonObjects;
import io.ojs.queue.QueueNotFoundException;
import io.ojs.queue.Queues;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.Routes;
import io.ojs.web.internal.Routes.Route;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever somebody sends, the HTTP API says what is wrong with it, and the store stays
 * as it should be. {@code -Dojs.test.seed} gives other requests,
 * {@code -Dojs.test.requests} more of them: with fewer than a thousand there may be
 * things that none of them does.
 */
abstract class HttpFuzzContract extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(HttpFuzzContract.class);

	private static final long SEED = Long.getLong("ojs.test.seed", 20260117);

	private static final int REQUESTS = Integer.getInteger("ojs.test.requests", 1000);

	private static final String SAME = "the same requests with -Dojs.test.seed=" + SEED;

	/** Of a request that is no HTTP, or that a container thinks dangerous. */
	private static final Set<Integer> BY_CONTAINER = Set.of(400, 417);

	/** As many failures say enough. */
	private static final int ENOUGH = 20;

	private final JsonObjects objects = new JsonObjects();

	private final List<String> problems = new ArrayList<>();

	private final Map<Integer, Integer> statuses = new TreeMap<>();

	abstract Application.Starter database(Application.Starter starter);

	private Application start() {
		return database(application()).managed()
			.property("ojs.http.enabled", true)
			.property("ojs.http.allow-anonymous", true)
			.property("ojs.http.root-endpoints", true)
			.property("ojs.http.max-body-size", "1MB")
			.start();
	}

	@Test
	void nothingBreaks() {
		try (Application application = start()) {
			RawHttp http = new RawHttp(application.port());
			send(http, routes(application));
			assertThat(this.problems).as(SAME).isEmpty();
			JobRowRules rules = new JobRowRules(application.bean(JdbcTemplate.class));
			Map<String, Long> events = rules.events();
			logger.info("Jobs: {}, events: {}", rules.states(), events);
			assertThat(events).as(SAME).containsKeys("job.enqueued", "job.started", "job.cancelled");
			assertThat(rules.broken()).as(SAME).isEmpty();
			// A workflow cannot go on while a queue takes no jobs.
			Queues queues = application.bean(Queues.class);
			// One that drains may be deleted between being listed and being resumed.
			await(SAME).ignoreException(QueueNotFoundException.class)
				.untilAsserted(() -> queues.list()
					.stream()
					.filter((queue) -> !queue.state().acceptsJobs())
					.forEach((queue) -> queues.resume(queue.name())));
			await(SAME).untilAsserted(() -> assertThat(rules.untold()).isZero());
			work(http);
		}
	}

	private static List<Route> routes(Application application) {
		Routes routes = new Routes();
		application.beans(Endpoints.class).forEach((endpoints) -> endpoints.addTo(routes));
		return routes.all().stream().filter((route) -> !isForAll(route) && !isEndless(route)).toList();
	}

	/** A stream of changes is an answer that does not end. */
	private static boolean isEndless(Route route) {
		return route.path().endsWith("/events/stream");
	}

	private void send(RawHttp http, List<Route> routes) {
		FuzzedRequests requests = new FuzzedRequests(SEED, routes);
		long begin = System.nanoTime();
		for (int i = 0; i < REQUESTS && this.problems.size() < ENOUGH; i++) {
			Fuzzed request = requests.next();
			Reply reply = http.send(request.bytes());
			this.statuses.merge(reply.status(), 1, Integer::sum);
			look(request, reply, requests);
		}
		logger.info("{} requests in {} ms, {}; {}", REQUESTS, (System.nanoTime() - begin) / 1_000_000, this.statuses,
				SAME);
	}

	/** After those, most others would only be told that a queue takes no jobs. */
	private static boolean isForAll(Route route) {
		return route.path().contains("/_default/") && route.method().equals("PUT");
	}

	private void look(Fuzzed request, Reply reply, FuzzedRequests requests) {
		if (reply.status() >= 500) {
			problem("answered with " + reply.status(), request, reply);
		}
		else if (reply.header("OJS-Version") == null) {
			// The container refuses what is no HTTP, and what it thinks dangerous.
			if (!BY_CONTAINER.contains(reply.status()) && isOurs(request)) {
				problem("not answered by the API", request, reply);
			}
		}
		else if (!request.method().equals("HEAD") && reply.status() != 204) {
			try {
				Map<String, @Nullable Object> body = this.objects.read(reply.body());
				if (reply.status() >= 400) {
					error(body, request, reply);
				}
				note(body, request, requests);
			}
			catch (RuntimeException ex) {
				problem("no JSON: " + ex, request, reply);
			}
		}
	}

	/** A path at the root that was changed is the application's. */
	private static boolean isOurs(Fuzzed request) {
		return request.target().contains(Routes.BASE) || List.of("/health", "/ready").contains(request.target());
	}

	private void error(Map<String, @Nullable Object> body, Fuzzed request, Reply reply) {
		if (!(body.get("error") instanceof Map<?, ?> error) || !(error.get("code") instanceof String)
				|| !(error.get("message") instanceof String message) || message.isBlank()
				|| !(error.get("retryable") instanceof Boolean)
				|| !String.valueOf(reply.header("X-Request-Id")).equals(error.get("request_id"))) {
			problem("no error object", request, reply);
		}
		else if (List.of(400, 415, 422).contains(reply.status())
				&& List.of("invalid_request").contains(error.get("code"))
				&& !(error.get("details") instanceof Map<?, ?> details && details.get("field") instanceof String)) {
			problem("names no field", request, reply);
		}
	}

	private static void note(Map<String, @Nullable Object> body, Fuzzed request, FuzzedRequests requests) {
		Consumer<String> listed = request.target().endsWith("/workers/fetch") ? requests::fetched : requests::job;
		if (body.get("job") instanceof Map<?, ?> job && job.get("id") instanceof String id) {
			requests.job(id);
		}
		if (body.get("jobs") instanceof List<?> jobs) {
			jobs.forEach((each) -> {
				if (each instanceof Map<?, ?> job && job.get("id") instanceof String id) {
					listed.accept(id);
				}
			});
		}
		if (body.get("workflow") instanceof Map<?, ?> workflow && workflow.get("id") instanceof String id) {
			requests.workflow(id);
		}
	}

	private void problem(String problem, Fuzzed request, Reply reply) {
		String text = reply.text();
		this.problems.add("%s: %s%n→ %d %s%n".formatted(problem, request, reply.status(),
				(text.length() > 500) ? text.substring(0, 500) : text));
	}

	/** All goes its way as if nothing had been. */
	private void work(RawHttp http) {
		Map<String, @Nullable Object> pushed = post(http, "/ojs/v1/jobs",
				"{\"type\":\"fuzz.after\",\"args\":[1],\"options\":{\"queue\":\"after-all\"}}", 201);
		Object id = (pushed.get("job") instanceof Map<?, ?> job) ? job.get("id") : null;
		await().untilAsserted(() -> {
			Map<String, @Nullable Object> fetched = post(http, "/ojs/v1/workers/fetch",
					"{\"queues\":[\"after-all\"],\"worker_id\":\"after-all\"}", 200);
			assertThat(fetched.get("jobs")).asInstanceOf(InstanceOfAssertFactories.LIST)
				.singleElement()
				.extracting("id")
				.isEqualTo(id);
		});
		assertThat(
				post(http, "/ojs/v1/workers/ack", "{\"job_id\":\"%s\",\"worker_id\":\"after-all\"}".formatted(id), 200))
			.containsEntry("state", "completed");
	}

	private Map<String, @Nullable Object> post(RawHttp http, String path, String json, int status) {
		Reply reply = http.send(("POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
				+ "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s")
			.formatted(path, json.length(), json)
			.getBytes(StandardCharsets.US_ASCII));
		assertThat(reply.status()).as(reply.text()).isEqualTo(status);
		return this.objects.read(reply.body());
	}

}
