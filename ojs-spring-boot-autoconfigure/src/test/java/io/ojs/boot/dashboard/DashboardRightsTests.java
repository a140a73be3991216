package io.ojs.boot.dashboard;

import io.ojs.test.internal.browser.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpServer;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.job.JobRequest;
import io.ojs.web.internal.stream.ChangeStreams;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each user sees the buttons of what the API lets that user do, and no others; a tenant's
 * people see nothing of another tenant; other sites can do nothing in a user's name.
 */
class DashboardRightsTests extends DashboardTest {

	private static final Pattern ACT = Pattern
		.compile("(?i).*(pause|resume|drain|configure|purge|replay|delete|cancel|run|disable|quiet|terminate|stop).*");

	private static final String UNKNOWN = "0190a0b1-0000-7000-8000-000000000000";

	/** A cron that no application declares, and an operation that lasts. */
	@BeforeAll
	void addWhatCallersOfTheApiAdd() {
		this.application.bean(CronJobs.class)
			.register(CronRequest.of("tidy-up", "0 4 * * *", JobRequest.of("mail.send", "ann@example.org")));
		String since = Instant.now().toString();
		DeadLetters letters = this.application.bean(DeadLetters.class);
		for (int order = 43; order <= 44; order++) {
			String id = this.application.ojs()
				.enqueue(JobRequest.of("invoice.create", order)
					.meta("tenant_id", "acme")
					.retry((retry) -> retry.maxAttempts(1)))
				.id();
			Browser.await("a dead letter").until(() -> letters.get(id).isPresent());
		}
		this.browser.logIn(this.application.uri(), "acme");
		assertThat(this.browser.call("POST", "v1/operations",
				"{\"action\": \"replay\", \"filter\": {\"since\": \"%s\"}, \"rate\": 0.001, \"confirm\": true}"
					.formatted(since)))
			.isEqualTo(202);
	}

	/**
	 * A button, and a request that does what the button does, to what is not there or
	 * with a body that is not valid: after the check of rights, nothing happens.
	 */
	private List<Act> acts() {
		return List.of(new Act("queue?name=email", "Pause", "POST", "v1/queues/email/resume", "{}"),
				new Act("queue?name=email", "Drain", "POST", "v1/queues/unknown/drain", "{}"),
				new Act("queues", "Pause email", "POST", "v1/queues/email/resume", "{}"),
				new Act("queue?name=email", "Purge", "POST", "v1/queues/email/purge", "{}"),
				new Act("queue?name=email", "Configure", "PUT", "v1/queues/email/config", "[]"),
				new Act("job?id=" + this.jobs.acmeFailed(), "Replay", "POST", "v1/admin/jobs/" + UNKNOWN + "/retry",
						"{}"),
				new Act("job?id=" + this.jobs.acmeScheduled(), "Cancel", "POST", "v1/admin/jobs/" + UNKNOWN + "/cancel",
						"{}"),
				new Act("job?id=" + this.jobs.acmeSecret(), "Decode…", "POST", "v1/codec/decode", "{}"),
				new Act("dead-letters", "Replay…", "POST", "v1/operations", "{}"),
				new Act("dead-letters", "Replay " + this.jobs.acmeFailed(), "POST",
						"v1/admin/jobs/" + UNKNOWN + "/retry", "{}"),
				new Act("jobs?queue=parcels", "Cancel all…", "POST", "v1/operations", "{}"),
				new Act("jobs?queue=parcels", "Delete all…", "POST", "v1/operations", "{}"),
				new Act("operations", "Stop", "POST", "v1/operations/" + UNKNOWN + "/stop", "{}"),
				new Act("workers", "Quiet fetcher", "POST", "v1/admin/workers/unknown/quiet", "{}"),
				new Act("workers", "Terminate fetcher", "POST", "v1/admin/workers/unknown/terminate", "{}"),
				new Act("crons", "Disable stock-count", "POST", "v1/cron/stock-count/enable", "{}"),
				new Act("crons", "Disable tidy-up", "POST", "v1/cron/tidy-up/enable", "{}"),
				new Act("crons?name=tidy-up", "Disable", "POST", "v1/cron/tidy-up/enable", "{}"),
				new Act("crons", "Run stock-count now", "POST", "v1/cron/stock-count/trigger", "{}"),
				new Act("dead-letters", "Delete…", "POST", "v1/operations", "{}"),
				new Act("crons?name=stock-count", "Run now", "POST", "v1/cron/stock-count/trigger", "{}"),
				new Act("crons?name=stock-count", "Disable", "POST", "v1/cron/stock-count/enable", "{}"),
				new Act("workflow?id=" + this.jobs.acmeWorkflow(), "Cancel", "DELETE", "v1/workflows/" + UNKNOWN,
						"{}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "reader", "writer", "admin", "admin-only", "codec", "acme", "acme-codec" })
	void buttonsAgreeWithTheApi(String user) {
		this.browser.expectFailures(); // The API refuses what these users may not do.
		// It is forgotten after five minutes.
		this.application.bean(RemoteWorkers.class).heartbeat(new Heartbeat("fetcher", List.of()));
		this.browser.logIn(this.application.uri(), user);
		List<String> differences = new ArrayList<>();
		for (Act act : acts()) {
			this.browser.open(this.application.uri(), act.page());
			boolean isOffered = this.browser.names("main button").stream().anyMatch(act::isCalled);
			long status = this.browser.call(act.method(), act.path(), act.body());
			if (isOffered != (status != 403)) {
				differences.add("%s: the page offers %s: %s, and the API answers %d".formatted(act.page(), act.button(),
						isOffered, status));
			}
		}
		assertThat(differences).isEmpty();
	}

	@Test
	void readerSeesThatThereIsNothingToDo() {
		this.browser.logIn(this.application.uri(), "reader");
		assertThat(this.browser.text("nav")).contains("Read only");
		for (String page : List.of("queues", "jobs", "dead-letters", "crons", "workers", "limits", "tenants")) {
			this.browser.open(this.application.uri(), page);
			assertThat(this.browser.names("main button")).as(page).noneMatch((name) -> ACT.matcher(name).matches());
		}
	}

	/** An open page of an operator does not feed the page of a tenant's person. */
	@Test
	void callersInOneBrowserHaveStreamsOfTheirOwn() {
		this.browser.expectFailures(); // The page of the operator asks as the other
										// person.
		ChangeStreams streams = this.application.bean(ChangeStreams.class);
		this.browser.logIn(this.application.uri(), "admin");
		this.browser.awaitText(".connection", "Live");
		awaitOneStream(streams);
		this.browser.inAnotherWindow(() -> {
			this.browser.logIn(this.application.uri(), "acme");
			this.browser.awaitText(".connection", "Live");
			Browser.await("a second stream").untilAsserted(() -> assertThat(streams.size()).isEqualTo(2));
		});
	}

	/** The page that an operator left open shows the next person nothing of it. */
	@Test
	void pageFollowsTheCallerOfAnotherTab() {
		this.browser.expectFailures(); // The page of the operator asks as the other
										// person.
		this.browser.logIn(this.application.uri(), "admin");
		this.browser.open(this.application.uri(), "dead-letters");
		this.browser.awaitElement("[data-key='" + this.jobs.globexFailed() + "']");
		this.browser.inAnotherTab(() -> this.browser.logIn(this.application.uri(), "acme"));
		this.browser.awaitText(".caller", "acme");
		this.browser.awaitElement("[data-key='" + this.jobs.acmeFailed() + "']");
		assertThat(this.browser.exists("[data-key='" + this.jobs.globexFailed() + "']")).isFalse();
		assertThat(this.browser.text("nav")).doesNotContain("Workers");
	}

	@Test
	void pageOfACallerOfAnotherTabWhoMaySeeNothingIsEmpty() {
		this.browser.expectFailures();
		this.browser.logIn(this.application.uri(), "admin");
		this.browser.open(this.application.uri(), "dead-letters");
		this.browser.awaitElement("[data-key='" + this.jobs.globexFailed() + "']");
		this.browser.inAnotherTab(() -> this.browser.logInExpecting(this.application.uri(), "nobody", "You may not"));
		this.browser.awaitText("You may not see this");
		assertThat(this.browser.source()).doesNotContain(this.jobs.globexFailed());
	}

	/** A key does no more than the button that the page does not have. */
	@Test
	void keysOfAReaderDoNothing() {
		this.browser.logIn(this.application.uri(), "reader");
		for (Map.Entry<String, String> page : Map
			.of("queue?name=email", "p", "dead-letters", "t", "job?id=" + this.jobs.scheduled(), "x",
					"job?id=" + this.jobs.secret(), "a", "crons?name=stock-count", "t")
			.entrySet()) {
			this.browser.open(this.application.uri(), page.getKey());
			this.browser.press(page.getValue());
			this.browser.press("?");
			this.browser.awaitElement("dialog .help");
			assertThat(this.browser.texts("dialog")).as(page.getKey()).hasSize(1);
			this.browser.press(Keys.ESCAPE);
		}
	}

	@Test
	void tabsOfACallerShareAStream() {
		ChangeStreams streams = this.application.bean(ChangeStreams.class);
		this.browser.logIn(this.application.uri(), "writer");
		this.browser.awaitText(".connection", "Live");
		awaitOneStream(streams);
		this.browser.inAnotherWindow(() -> {
			this.browser.open(this.application.uri(), "jobs");
			this.browser.awaitText(".connection", "Live");
			awaitOneStream(streams);
		});
	}

	/** The server writes, and sees who is gone. */
	private void awaitOneStream(ChangeStreams streams) {
		Browser.await("the end of the streams of other tests").untilAsserted(() -> {
			this.application.ojs().enqueue("mail.send", "ann@example.org");
			assertThat(streams.size()).isEqualTo(1);
		});
	}

	/** What an operator sees is in the address, with the tenant that was chosen. */
	@Test
	void linkShowsTheTenantThatWasChosen() {
		this.browser.logIn(this.application.uri(), "reader");
		this.browser.load(this.application.uri(), "jobs?as=acme");
		this.browser.awaitElement("[data-key='" + this.jobs.acme() + "']");
		assertThat(this.browser.exists("[data-key='" + this.jobs.globex() + "']")).isFalse();
		this.browser.press("g", "d");
		this.browser.awaitElement("[data-key='" + this.jobs.acmeFailed() + "']");
		assertThat(this.browser.location()).endsWith("dead-letters?as=acme");
		assertThat(this.browser.exists("[data-key='" + this.jobs.globexFailed() + "']")).isFalse();
		this.browser.run("const select = document.querySelector('.tenant select'); select.value = '';"
				+ "select.dispatchEvent(new Event('change'))");
		this.browser.awaitElement("[data-key='" + this.jobs.globexFailed() + "']");
		assertThat(this.browser.location()).endsWith("dead-letters");
		this.browser.open(this.application.uri(), "tenants");
		this.browser.awaitElement("[data-key='globex']");
		this.browser.find("[data-key='globex'] button").click();
		this.browser.awaitText("h1", "Overview");
		assertThat(this.browser.location()).endsWith("?as=globex");
		this.browser.run("history.back()");
		this.browser.awaitText("h1", "Tenants");
		assertThat(this.browser.location()).endsWith("/tenants");
		this.browser.load(this.application.uri(), "dead-letters?as=%E3%83%86");
		this.browser.awaitElement("[data-key='" + this.jobs.globexFailed() + "']");
		assertThat(this.browser.exists("[data-key='" + this.jobs.acmeFailed() + "']")).isTrue();
	}

	@Test
	void linkToAnotherTenantShowsOnesOwn() {
		this.browser.expectFailures();
		this.browser.logIn(this.application.uri(), "acme");
		this.browser.load(this.application.uri(), "jobs?as=globex");
		this.browser.awaitElement("[data-key='" + this.jobs.acme() + "']");
		assertThat(this.browser.exists("[data-key='" + this.jobs.globex() + "']")).isFalse();
		assertThat(this.browser.location()).doesNotContain("globex");
	}

	@Test
	void userWithoutRightsSeesNoPage() {
		this.browser.expectFailures();
		this.browser.logInExpecting(this.application.uri(), "nobody", "You may not see this");
		assertThat(this.browser.text()).contains("SCOPE_ojs:read");
		for (String page : List.of("queues", "job?id=" + this.jobs.sent())) {
			this.browser.visit(this.application.uri() + "/ojs/ui/" + page);
			this.browser.awaitText("You may not see this");
			assertThat(this.browser.source()).doesNotContain("mail.send", this.jobs.sent());
		}
	}

	@Test
	void peopleOfATenantSeeNothingOfAnother() {
		this.browser.expectFailures(); // The API answers 404 and 403 for what is of
										// others.
		this.browser.logIn(this.application.uri(), "acme");
		for (String page : List.of("./", "queues", "queue?name=email", "queue?name=billing", "jobs", "dead-letters",
				"workflows", "crons", "operations", "workers", "limits", "tenants", "broker")) {
			this.browser.open(this.application.uri(), page);
			assertThat(this.browser.source()).as(page)
				.doesNotContain("globex", "order 42", this.jobs.globex(), this.jobs.globexFailed(), this.jobs.sent(),
						"first@example.org");
		}
		// Addresses that name what is of others.
		for (String page : List.of("jobs?tenant=globex", "jobs?id=" + this.jobs.globex(),
				"job?id=" + this.jobs.globex(), "job?id=" + this.jobs.globexFailed(), "dead-letters?tenant=globex",
				"tenants?id=globex", "workflow?id=" + this.jobs.workflow())) {
			this.browser.open(this.application.uri(), page);
			assertThat(this.browser.text()).as(page).doesNotContain("sales@globex", "order 42", "first@example.org");
			assertThat(this.browser.texts("tbody tr")).as(page).noneMatch((row) -> row.contains("globex"));
		}
		this.browser.open(this.application.uri(), "jobs");
		this.browser.awaitElement("[data-key='" + this.jobs.acme() + "']");
	}

	@Test
	void formOfAnotherSiteCannotPauseAQueue() throws IOException {
		this.browser.expectFailures();
		this.browser.logIn(this.application.uri(), "admin");
		String target = this.application.uri() + "/ojs/v1/queues/email/pause";
		HttpServer evil = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		evil.createContext("/", (exchange) -> {
			byte[] page = ("<form method=post action='" + target
					+ "'></form><script>document.forms[0].submit()</script>")
				.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("Content-Type", "text/html");
			exchange.sendResponseHeaders(200, page.length);
			exchange.getResponseBody().write(page);
			exchange.close();
		});
		evil.start();
		try {
			// Another site: it is 127.0.0.1, and the application is localhost.
			this.browser.visit("http://127.0.0.1:" + evil.getAddress().getPort() + "/");
			Browser.await("the answer to the form").until(() -> this.browser.location().equals(target));
		}
		finally {
			evil.stop(0);
		}
		this.browser.open(this.application.uri(), "queue?name=email");
		assertThat(this.browser.text("main .page-note")).contains("active").doesNotContain("paused");
		// The user's own click can.
		assertThat(this.browser.call("POST", "v1/queues/email/pause", "{}")).isEqualTo(200);
		assertThat(this.browser.call("POST", "v1/queues/email/resume", "{}")).isEqualTo(200);
	}

	/**
	 * What a button does.
	 *
	 * @param page the page
	 * @param button the text of the button
	 * @param method the method of a request
	 * @param path the path of a request
	 * @param body the body of a request
	 */
	private record Act(String page, String button, String method, String path, String body) {

		/** Behind the text may be the letter of a key. */
		boolean isCalled(String name) {
			return name.startsWith(this.button) && name.length() <= this.button.length() + 1;
		}

	}

}
