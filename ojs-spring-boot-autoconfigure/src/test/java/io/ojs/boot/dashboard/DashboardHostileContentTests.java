package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.browser.Part;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types, arguments, errors and whatever else other programs choose is text: no script
 * runs, no element appears, nothing is wider than the window.
 */
class DashboardHostileContentTests extends DashboardTest {

	private static final List<String> HOSTILE = List.of("<img src=x onerror=\"window.ran=1\">",
			"<script>window.ran=1</script>", "\"><svg onload=window.ran=1>",
			"'><iframe src=\"javascript:parent.ran=1\">", "javascript:window.ran=1", "${window.ran=1}{{window.ran=1}}",
			"x\" onmouseover=\"window.ran=1\" style=\"position:fixed", "\u202Egnp.exe\u2066\u2067 \u0007\u001b[31m",
			"</textarea></title></style><meta http-equiv=refresh content=0>", "w".repeat(250),
			"\u0335".repeat(200) + "z", "__proto__", "../../admin?x=1#y&a=b%00");

	/** Elements and attributes that no page has. */
	private static final String FOREIGN = """
			return [...document.body.querySelectorAll('*')]
				.filter((each) => /^(img|script|iframe|object|base|meta|style)$/i.test(each.localName)
					|| [...each.attributes].some((attribute) => /^on/i.test(attribute.name)
						|| /^\\s*javascript:/i.test(attribute.value) && ['href', 'src', 'action'].includes(attribute.name)))
				.map((each) => each.outerHTML.slice(0, 200))""";

	private final Map<String, String> hostileJobs = new LinkedHashMap<>();

	@Override
	List<Class<?>> beans() {
		return List.of(Shop.class, HostileHandler.class);
	}

	@BeforeAll
	void enqueueHostileJobs() {
		for (String text : HOSTILE) {
			this.hostileJobs.put(text,
					this.application.ojs()
						.enqueue(JobRequest.of("hostile.fail", text, Map.of(text, List.of(text)))
							.meta(text, text)
							.meta("customer", text)
							.retry((retry) -> retry.maxAttempts(1)))
						.id());
		}
		Browser.await("all failures")
			.until(() -> this.hostileJobs.values()
				.stream()
				.allMatch((id) -> this.application.ojs().find(id).orElseThrow().state() == JobState.DISCARDED));
		// The API and workers of this library refuse such names. Other programs write
		// into the database, too.
		this.hostileJobs.forEach((text, id) -> {
			this.application.database()
				.update("update ojs_job set type = ?, error_type = ?, worker = left(?, 128), "
						+ "queue = left(?, 128), tenant = left(?, 128), errors = replace(errors, "
						+ "'java.lang.IllegalStateException', trim(both '\"' from to_jsonb(?::text)::text)) where id = ?::uuid",
						text, text, text, text, text, text, id);
			this.application.database()
				.update("insert into ojs_job_label (label, job_id) values (left(?, 128), ?::uuid) on conflict do nothing",
						"#" + text, id);
		});
		this.browser.logIn(this.application.uri(), "admin");
	}

	@Test
	void jobs() {
		for (String text : Part.of(HOSTILE, "job", 3)) {
			this.browser.open(this.application.uri(), "job?id=" + this.hostileJobs.get(text));
			Browser.await("the message of the error").until(() -> this.browser.text(".errors").contains("hostile"));
			check("job with " + text);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs", "dead-letters", "./", "queues", "operations", "workers", "tenants", "limits" })
	void lists(String page) {
		this.browser.open(this.application.uri(), page);
		check(page);
	}

	@ParameterizedTest
	@ValueSource(strings = { "job?id=", "jobs?id=", "jobs?type=", "jobs?label=", "jobs?error=", "jobs?cursor=",
			"queue?name=", "queues?name=", "workflow?id=", "crons?name=", "workers?id=", "tenants?id=", "limits?key=",
			"operations?id=", "dead-letters?error_hash=" })
	void addresses(String address) {
		this.browser.expectFailures(); // The API refuses most of these.
		for (String text : Part.of(HOSTILE, address, 6)) {
			this.browser.load(this.application.uri(), address + URLEncoder.encode(text, StandardCharsets.UTF_8));
			check(address + text);
		}
	}

	@Test
	void paths() {
		this.browser.expectFailures();
		for (String text : Part.of(HOSTILE, "path", 3)) {
			this.browser.visit(this.application.uri() + "/ojs/ui/" + URLEncoder.encode(text, StandardCharsets.UTF_8));
			assertThat(this.browser.run("return window.ran ?? null")).as(text).isNull();
		}
	}

	@Test
	void palette() {
		this.browser.open(this.application.uri(), "jobs");
		for (String text : HOSTILE.subList(0, 5)) {
			this.browser.press("/", text);
			this.browser.awaitElement("dialog [role=option]");
			check("the palette with " + text);
			this.browser.press(Keys.ESCAPE);
			Browser.await("no dialog").until(() -> !this.browser.exists("dialog"));
		}
	}

	private void check(String what) {
		assertThat(this.browser.run("return window.ran ?? null")).as(what).isNull();
		assertThat((List<?>) this.browser.run(FOREIGN)).as(what).isEmpty();
		assertThat(this.browser.text()).as(what)
			.doesNotContainPattern("[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]");
		for (int width : List.of(1440, 360)) {
			this.browser.look(width, "light");
			assertThat(this.browser.overflow()).as(what + " is wider than " + width + " px by").isNotPositive();
		}
		this.browser.look(1440, "light");
	}

	/**
	 * Fails with what it gets.
	 */
	static class HostileHandler {

		@OjsJobHandler(value = "hostile.fail", queue = "hostile")
		void fail(String text, Map<String, Object> more) {
			throw new IllegalStateException("hostile " + text, new IllegalArgumentException(text));
		}

	}

}
