package io.ojs.boot.it;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import io.ojs.web.internal.Routes.Route;

/**
 * HTTP requests to all endpoints, most of which somebody might send by mistake or out of
 * malice; the same ones for the same seed, as long as the same ids are noted.
 */
final class FuzzedRequests {

	private static final String ID = "019461a8-0bad-7000-8000-%012x";

	private static final List<String> QUEUES = List.of("q1", "q2", "q3", "q4", "q5", "q6");

	private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH",
			"PROPFIND", "get", "LONG".repeat(30));

	private static final List<String> COMMON = List.of("/v1/jobs", "/v1/jobs", "/v1/jobs/batch", "/v1/workers/fetch",
			"/v1/workers/fetch", "/v1/workers/ack", "/v1/workers/ack", "/v1/workers/nack", "/v1/workflows",
			"/{name}/resume");

	/** Some of them no container lets through. */
	private static final List<String> SEGMENTS = List.of("", "%20", "..", ".", "%2e%2e", "a;b=c", "%2F", "%5C", "%00",
			"%zz", "%", "%ff", "%c3%a9", "%ed%a0%80", "é", "x".repeat(129), "x".repeat(5000), "a%0d%0aX-Bad:%201",
			"%25", "*", "{id}", "null", "0", "A-B", "%F0%9F%98%80", "019461A8-0BAD-7000-8000-000000000001",
			"019461a8-0bad-4000-8000-000000000001");

	private static final List<String> PARAMETERS = List.of("limit", "offset", "cursor", "page", "per_page", "queue",
			"type", "state", "since", "until", "types", "queues", "after", "enabled", "name", "strategy",
			"target_queue", "unknown");

	private static final List<String> ARGUMENTS = List.of("", "0", "1", "-1", "201", "1000000", "99999999999999999999",
			"1e3", "a", "%00", "%", "%zz", "%ff", "%ed%a0%80", "é", "a,b,,c", "*", "mail.*", "**",
			"2026-01-01T00:00:00Z", "2026-01-01T00:00:00+02:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "now",
			"true", "discard", "running", "available", "x".repeat(3000), "%27%20or%201=1", "1&limit=2", "q1");

	private static final List<String> HEADERS = List.of("OJS-Version: 1.0", "OJS-Version: 9", "OJS-Version:",
			"X-Request-Id: mine", "X-Request-Id: a b", "X-Request-Id: " + "x".repeat(200), "X-Request-Id: a\tb",
			"X-Request-Id: \u00ff\u0001", "X-Request-Id:", "Accept: text/html", "Accept: ;;q=nonsense", "Accept: */*",
			"Accept-Encoding: gzip;q=2", "Content-Encoding: gzip", "Expect: 100-continue", "Expect: nonsense",
			"Range: bytes=5-1", "If-None-Match: *", "X-HTTP-Method-Override: DELETE", "Origin: http://elsewhere",
			"Access-Control-Request-Method: PUT", "Authorization: Basic !!!", "Cookie: \u0001=;;", "Broken",
			"Bad Name: 1", "X-Long: " + "x".repeat(6000), "X-Too-Long: " + "x".repeat(20_000), "X-Forwarded-Host: [::",
			"Content-Language: x", "traceparent: 00-nonsense");

	private static final List<String> CONTENT_TYPES = List.of("application/json", "application/json; charset=utf-16",
			"application/json;;=", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x",
			"application/x-www-form-urlencoded", "*/*", "", "application/", "\u0000");

	private final Random random;

	private final FuzzedBodies bodies;

	private final List<Route> routes;

	private final Deque<String> jobs = new ArrayDeque<>();

	private final Deque<String> fetched = new ArrayDeque<>();

	private final Deque<String> workflows = new ArrayDeque<>();

	private int count;

	FuzzedRequests(long seed, List<Route> routes) {
		this.random = new Random(seed);
		this.bodies = new FuzzedBodies(this.random);
		this.routes = routes;
	}

	/** There is a job. */
	void job(String id) {
		note(this.jobs, id, 20);
	}

	/** There is a job that is being run, or was just now. */
	void fetched(String id) {
		job(id);
		note(this.fetched, id, 4);
	}

	/** There is a workflow. */
	void workflow(String id) {
		note(this.workflows, id, 20);
	}

	private static void note(Deque<String> known, String id, int most) {
		known.addFirst(id);
		if (known.size() > most) {
			known.removeLast();
		}
	}

	Fuzzed next() {
		this.count++;
		// Jobs have to come from somewhere, and go on.
		boolean common = chance(3);
		Route route = common ? common() : this.bodies.pick(this.routes);
		String method = chance(20) ? this.bodies.pick(METHODS) : route.method();
		StringBuilder target = new StringBuilder();
		for (String segment : route.path().substring(1).split("/")) {
			// Below /ojs: elsewhere the application answers.
			boolean replaced = !target.isEmpty() && chance(segment.startsWith("{") ? 8 : 80);
			target.append('/').append(replaced ? this.bodies.pick(SEGMENTS) : filled(segment, route.path()));
		}
		if (chance(100)) {
			target.append(this.bodies.pick(List.of("/", "//", "/%2e", ";x", "?", "#", "??")));
		}
		if (route.method().equals("GET") ? chance(2) : chance(15)) {
			target.append('?');
			for (int i = this.random.nextInt(3); i >= 0; i--) {
				target.append(this.bodies.pick(PARAMETERS))
					.append(chance(20) ? "" : "=")
					.append(this.bodies.pick(ARGUMENTS))
					.append((i > 0) ? "&" : "");
			}
		}
		byte[] body = route.method().equals("GET") && !chance(20) ? new byte[0] : body(route.path(), common);
		return fuzzed(method, target.toString(), body);
	}

	private Route common() {
		String end = this.bodies.pick(COMMON);
		return this.routes.stream()
			.filter((each) -> each.path().endsWith(end) && each.method().equals("POST"))
			.findFirst()
			.orElseThrow();
	}

	private Fuzzed fuzzed(String method, String target, byte[] body) {
		List<String> headers = new ArrayList<>();
		headers.add("Host: localhost");
		headers.add("Connection: close");
		if (chance(3)) {
			for (int i = this.random.nextInt(2); i >= 0; i--) {
				headers.add(this.bodies.pick(HEADERS));
			}
		}
		byte[] sent = body;
		if (body.length > 0 || chance(10)) {
			headers.add("Content-Type: " + (chance(15) ? this.bodies.pick(CONTENT_TYPES) : "application/json"));
			String length = chance(40)
					? this.bodies.pick(List.of("0", "-1", "x", "", "99999999999999999999",
							Integer.toString(body.length / 2), Integer.toString(body.length + 5), "2147483648"))
					: Integer.toString(body.length);
			if (chance(40)) {
				headers.add("Transfer-Encoding: chunked");
				sent = chunked(body);
			}
			else {
				headers.add("Content-Length: " + length);
			}
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes((method + " " + target + " HTTP/1.1\r\n").getBytes(StandardCharsets.UTF_8));
		headers.forEach((header) -> bytes.writeBytes((header + "\r\n").getBytes(StandardCharsets.ISO_8859_1)));
		bytes.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
		bytes.writeBytes(sent);
		return new Fuzzed(this.count, method, target, bytes.toByteArray());
	}

	private byte[] chunked(byte[] body) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String size = chance(4) ? this.bodies.pick(List.of("x", "-1", "ffffffffff", ""))
				: Integer.toHexString(body.length);
		bytes.writeBytes((size + "\r\n").getBytes(StandardCharsets.US_ASCII));
		bytes.writeBytes(body);
		bytes.writeBytes(((body.length > 0) ? "\r\n0\r\n\r\n" : "\r\n").getBytes(StandardCharsets.US_ASCII));
		return bytes.toByteArray();
	}

	private String filled(String segment, String path) {
		return switch (segment) {
			case "{id}" -> path.contains("/workflows") ? known(this.workflows)
					: path.contains("/workers") ? worker() : known(this.jobs);
			case "{name}" -> this.bodies.pick(QUEUES);
			default -> segment;
		};
	}

	private String known(Deque<String> ids) {
		return (ids.isEmpty() || chance(10)) ? ID.formatted(this.count)
				: ids.stream().skip(this.random.nextInt(ids.size())).findFirst().orElseThrow();
	}

	private String worker() {
		return "w" + this.random.nextInt(3);
	}

	private byte[] body(String path, boolean common) {
		String valid = this.bodies.valid(path)
			.replace("$id", ID.formatted(chance(20) ? 1 : this.count))
			.replace("$job", known((path.contains("/workers/") && !chance(4)) ? this.fetched : this.jobs))
			.replace("$queue", this.bodies.pick(QUEUES))
			.replace("$name", this.bodies.pick(QUEUES))
			.replace("$worker", worker());
		if (common && chance(2)) {
			return utf8(valid);
		}
		return switch (this.random.nextInt(40)) {
			case 0 -> new byte[0];
			case 1 -> utf8(valid.substring(0, this.random.nextInt(valid.length())));
			case 2 -> utf8("\uFEFF" + valid);
			case 3 -> valid.getBytes(StandardCharsets.UTF_16);
			case 4 -> utf8("[" + valid + "]");
			case 5 -> utf8(this.bodies.value());
			case 6 -> utf8(valid + valid);
			case 7 -> (valid.replaceFirst(":\"", ":\"\u00ff")).getBytes(StandardCharsets.ISO_8859_1);
			case 8 -> utf8(valid.replaceFirst("[\\[{]", "{\"fill\":\"" + "x".repeat(2 << 20) + "\","));
			case 9, 10, 11 -> utf8(twice(valid));
			case 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 -> utf8(valid);
			default -> utf8(this.bodies.mutated(valid));
		};
	}

	private String twice(String valid) {
		try {
			return this.bodies.mutated(this.bodies.mutated(valid));
		}
		catch (RuntimeException ex) {
			// It is no JSON any more.
			return this.bodies.mutated(valid);
		}
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private boolean chance(int oneOf) {
		return this.random.nextInt(oneOf) == 0;
	}

	/**
	 * A request.
	 *
	 * @param number its place among them
	 * @param method its method
	 * @param target its path and query
	 * @param bytes all of it
	 */
	record Fuzzed(int number, String method, String target, byte[] bytes) {

		@Override
		public String toString() {
			String text = new String(this.bytes, StandardCharsets.UTF_8);
			return "request %d (%d bytes): %s".formatted(this.number, this.bytes.length,
					(text.length() > 1500) ? text.substring(0, 1500) + "…" : text);
		}

	}

}
