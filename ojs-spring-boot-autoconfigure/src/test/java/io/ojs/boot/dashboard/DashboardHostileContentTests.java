package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.browser.Part;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types, arguments, errors and whatever else other programs choose is text: no script
 * runs, no element appears, nothing is wider than the window.
 */
class DashboardHostileContentTests extends DashboardTest {

	/**
	 * A part of each text that no page has to change. Pages without it show nothing that
	 * could harm.
	 */
	private static final String MARK = "marked";

	/** Instead of the mark, in addresses: rows of the page may have the mark. */
	private static final String TYPED = "typed";

	/** What servers refuse in a path, so that the API never sees it. */
	private static final Pattern REFUSED = Pattern.compile("[/%\\p{Cntrl}]");

	/** Of pages that do not repeat what their address names. */
	private static final String[] NOT_SHOWN = { "There is no such operation", "The application answers 400" };

	/** Has no mark: a script would find it by this name alone. */
	private static final String PROTO = "__proto__";

	private static final List<String> HOSTILE = List.of("<img src=x onerror=\"window.ran=1\">marked",
			"<script>window.ran=1</script>marked", "\"><svg onload=window.ran=1>marked",
			"'><iframe src=\"javascript:parent.ran=1\">marked", "javascript:window.ran=1,marked",
			"${window.ran=1}{{window.ran=1}}marked", "marked\" onmouseover=\"window.ran=1\" style=\"position:fixed",
			"\u202Emarked.exe\u2066\u2067 \u0007\u001b[31m",
			"</textarea></title></style><meta http-equiv=refresh content=0>marked", "marked" + "w".repeat(244),
			"marked" + "\u0335".repeat(200) + "z", PROTO, "../../marked?x=1#y&a=b%00");

	/** Elements and attributes that no page has. */
	private static final String FOREIGN = """
			return [...document.body.querySelectorAll('*')]
				.filter((each) => /^(img|script|iframe|object|base|meta|style)$/i.test(each.localName)
					|| [...each.attributes].some((attribute) => /^on/i.test(attribute.name)
						|| /^\\s*javascript:/i.test(attribute.value) && ['href', 'src', 'action'].includes(attribute.name)))
				.map((each) => each.outerHTML.slice(0, 200))""";

	/** What a page shows, also in its fields. */
	private static final String SHOWN = """
			return [document.body.textContent, ...[...document.querySelectorAll('input')].map((each) => each.value)]
				.join(' ')""";

	private static final String NO_ERROR = "no-such-error";

	private static final String OPERATION = """
			insert into ojs_operation select (jsonb_populate_record(o, jsonb_build_object('id', ?, 'state', 'failed',
				'asked_by', left(?, 255), 'process', left(?, 128), 'problem', ?, 'failed', 1,
				'request', replace(request, 'no-such-error', trim(both '"' from to_jsonb(left(?, 200))::text)),
				'errors', jsonb_build_array(jsonb_build_object('job_id', gen_random_uuid(), 'error', ?))::text))).*
			from ojs_operation o where request like '%no-such-error%' limit 1""";

	private static final String WORKER = """
			insert into ojs_worker (id, state, directive, first_seen, last_seen, active_jobs, queues, details)
			values (left(?, 128), 'running', 'running', current_timestamp, current_timestamp + interval '1 day', 1,
				jsonb_build_array(left(?, 128))::text,
				jsonb_build_object('hostname', ?::text, 'pid', ?::text, 'version', ?::text)::text)""";

	private static final String LIMIT = """
			insert into ojs_rate_limit select (jsonb_populate_record(l, jsonb_build_object('rate_key', left(?, 400)))).*
			from ojs_rate_limit l where rate_key = 'printer'""";

	private static final String CRON = """
			insert into ojs_cron select (jsonb_populate_record(c, jsonb_build_object('name', left(?, 255),
				'description', ?, 'enabled', false, 'next_run_at', null))).* from ojs_cron c where name = 'stock-count'""";

	private static final String PROGRESS = """
			update ojs_job set progress = (progress::jsonb || jsonb_build_object('message', ?::text))::text
			where id = ?::uuid""";

	private final Map<String, String> workflows = new LinkedHashMap<>();

	private final Map<String, String> operations = new LinkedHashMap<>();

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
						+ "queue = left(?, 128), dead_letter_queue = left(?, 128), tenant = left(?, 128), errors = replace(errors, "
						+ "'java.lang.IllegalStateException', trim(both '\"' from to_jsonb(?::text)::text)) where id = ?::uuid",
						text, text, text, text, text, text, text, id);
			this.application.database()
				.update("insert into ojs_job_label (label, job_id) values (left(?, 128), ?::uuid) on conflict do nothing",
						"#" + text, id);
		});
		this.browser.logIn(this.application.uri(), "admin");
		assertThat(this.browser.call("POST", "v1/operations",
				"{\"action\": \"cancel\", \"filter\": {\"error\": \"%s\"}, \"confirm\": true}".formatted(NO_ERROR)))
			.isEqualTo(202);
		Browser.await("the end of the operation")
			.until(() -> this.browser.read("v1/operations").at("/items/0/state").asString().equals("completed"));
		HOSTILE.forEach(this::insertAround);
		Browser.await("the end of the workflows")
			.until(() -> this.workflows.values()
				.stream()
				.allMatch((id) -> this.application.bean(Workflows.class).find(id).orElseThrow().endedAt() != null));
	}

	/** What is not a job that has failed. */
	private void insertAround(String text) {
		JdbcTemplate database = this.application.database();
		UUID operation = UUID.randomUUID();
		assertThat(database.update(OPERATION, operation, text, text, text, text, text)).isOne();
		this.operations.put(text, operation.toString());
		assertThat(database.update(WORKER, text, text, text, text, text)).isOne();
		assertThat(database.update(LIMIT, text)).isOne();
		assertThat(database.update(CRON, text, text)).isOne();
		String waiting = this.application.ojs().enqueue(JobRequest.of("parcel.pack", text).queue("parcels")).id();
		String limited = this.application.ojs().enqueue(JobRequest.of("parcel.pack", text).queue("parcels")).id();
		assertThat(database.update("update ojs_job set queue = left(?, 128) where id = ?::uuid", text, waiting))
			.isOne();
		assertThat(database.update(
				"update ojs_job set rate_key = left(?, 400), blocked_by = left(?, 400) where id = ?::uuid", text, text,
				limited))
			.isOne();
		this.workflows.put(text,
				this.application.bean(Workflows.class)
					.start(Workflow.chain(text)
						.then(JobRequest.of("hostile.fail", text, Map.of()).retry((retry) -> retry.maxAttempts(1)))
						.then(JobRequest.of("parcel.pack", text)))
					.id());
	}

	@Test
	void jobs() {
		for (String text : Part.of(HOSTILE, "job", 3)) {
			this.browser.open(this.application.uri(), "job?id=" + this.hostileJobs.get(text));
			awaitMark(text, ".errors");
			awaitMark(text, ".label");
			check("job with " + text);
		}
	}

	@Test
	void messagesOfProgress() {
		for (String text : Part.of(HOSTILE, "progress", 3)) {
			this.application.database().update(PROGRESS, text, this.jobs.running());
			this.browser.open(this.application.uri(), "jobs");
			this.browser.open(this.application.uri(), "job?id=" + this.jobs.running());
			awaitMark(text, ".progress");
			check("progress of " + text);
		}
	}

	@Test
	void workflows() {
		for (String text : Part.of(HOSTILE, "workflow", 3)) {
			this.browser.open(this.application.uri(), "workflow?id=" + this.workflows.get(text));
			awaitMark(text, "h1");
			awaitMark(text, "tbody .bad-text, tbody .clamp");
			check("workflow " + text);
		}
	}

	@Test
	void operations() {
		for (String text : Part.of(HOSTILE, "operation", 3)) {
			this.browser.open(this.application.uri(), "operations?id=" + this.operations.get(text));
			for (String place : List.of("p.bad-text", ".facts .labels", ".rows .bad-text")) {
				awaitMark(text, ".chosen " + place);
			}
			check("operation of " + text);
		}
	}

	/** Where each list shows the texts. */
	@ParameterizedTest
	@CsvSource({ "jobs, tbody", "dead-letters, tbody; .facets", "./, tbody; .attention", "queues, tbody",
			"operations, tbody", "workers, tbody", "tenants, tbody", "limits, tbody", "workflows, tbody",
			"crons, tbody" })
	void lists(String page, String places) {
		this.browser.open(this.application.uri(), page);
		for (String place : places.split("; ")) {
			awaitMark(MARK, place);
		}
		check(page);
	}

	@ParameterizedTest
	@ValueSource(strings = { "job?id=", "jobs?id=", "jobs?type=", "jobs?label=", "jobs?error=", "jobs?cursor=",
			"queue?name=", "queues?name=", "workflow?id=", "crons?name=", "workers?id=", "tenants?id=", "limits?key=",
			"operations?id=", "dead-letters?error_hash=" })
	void addresses(String address) {
		this.browser.expectFailures(); // The API refuses most of these.
		for (String text : Part.of(HOSTILE, address, 6)) {
			String typed = text.replace(MARK, TYPED);
			this.browser.load(this.application.uri(), address + URLEncoder.encode(typed, StandardCharsets.UTF_8));
			String shown = (String) this.browser.run(SHOWN);
			if (!shown.contains(text.contains(MARK) ? TYPED : text)) {
				assertThat(shown).as(address + typed).containsAnyOf(NOT_SHOWN);
				assertThat(shown.contains(NOT_SHOWN[0]) || REFUSED.matcher(text).find()).as(address + typed).isTrue();
			}
			check(address + typed);
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
			awaitMark(text, "dialog [role=option]:last-child");
			check("the palette with " + text);
			closePalette();
		}
		this.browser.press("/", MARK);
		this.browser.awaitText("dialog [role=listbox]", "queue");
		assertThat(this.browser.texts("dialog [role=option]"))
			.filteredOn((option) -> option.endsWith("queue") && option.contains(MARK))
			.hasSize(5);
		check("queues of the palette");
		closePalette();
	}

	private void closePalette() {
		this.browser.press(Keys.ESCAPE);
		Browser.await("no dialog").until(() -> !this.browser.exists("dialog"));
	}

	private static String mark(String text) {
		return text.contains(MARK) ? MARK : text;
	}

	/** The check of a page that does not show the text would pass without it. */
	private void awaitMark(String text, String selector) {
		Browser.await("the text in " + selector)
			.untilAsserted(
					() -> assertThat(this.browser.texts(selector)).anyMatch((shown) -> shown.contains(mark(text))));
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
