package io.ojs.boot.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.cron.CronJobs;
import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.browser.Browser;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users do by a button, by an icon of a row or by a key: the page asks, the user
 * answers, and the store has it.
 */
class DashboardActionsTests extends DashboardTest {

	private static final String COPY = "window.copied = [];"
			+ "navigator.clipboard.writeText = async (text) => window.copied.push(text)";

	/** As if the page had been reloaded because of missing files just now. */
	private static final String RELOADED = "sessionStorage.setItem('ojs.reloaded', String(Date.now()))";

	/** The clock of the page is ten times as fast, so that the test need not wait. */
	private static final String UNAVAILABLE = """
			const fetched = window.fetch;
			const now = Date.now;
			const begun = now();
			Date.now = () => begun + (now() - begun) * 10;
			window.asked = [];
			window.fetch = (...call) => {
				if (!/v1.jobs([?]|$)/.test(call[0])) {
					return fetched(...call);
				}
				window.asked.push(Date.now());
				return Promise.resolve(new Response('', {status: 503, headers: {'Retry-After': '40'}}));
			}""";

	@Test
	void administratorCancelsAJob() {
		begin("admin");
		String byButton = parcel();
		openJob(byButton);
		clickOnPage("Cancel");
		answer("Cancel this job?", "Cancel the job");
		assertThat(stateOf(byButton)).isEqualTo(JobState.CANCELLED);
		String byKey = parcel();
		openJob(byKey);
		this.browser.press("x");
		answer("Cancel this job?", "Cancel the job");
		assertThat(stateOf(byKey)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void administratorKeepsAJobByAnotherAnswer() {
		begin("admin");
		String job = parcel();
		openJob(job);
		this.browser.press("x");
		answer("Cancel this job?", "Cancel");
		assertThat(stateOf(job)).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void administratorReplaysADeadLetter() {
		begin("admin");
		String byButton = deadLetter("acme");
		openJob(byButton);
		clickOnPage("Replay");
		answer("Replay this dead letter?", "Replay");
		awaitSecondFailure(byButton);
		String byKey = deadLetter("acme");
		openJob(byKey);
		this.browser.press("t");
		answer("Replay this dead letter?", "Replay");
		awaitSecondFailure(byKey);
		String byIcon = deadLetter("acme");
		open("dead-letters");
		clickInRow(byIcon, "Replay " + byIcon);
		answer("Replay this dead letter?", "Replay");
		awaitSecondFailure(byIcon);
	}

	/** Of the jobs that the list shows, those that have ended. */
	@Test
	void administratorDeletesWhatTheListShows() {
		String ended = enqueue(mail("9100"));
		String other = enqueue(mail("9101"));
		String waiting = enqueue(JobRequest.of("parcel.pack", 1).queue("parcels").meta("customer", "9100"));
		awaitState(ended, JobState.COMPLETED);
		awaitState(other, JobState.COMPLETED);
		begin("admin");
		open("jobs?label=customer%3D9100");
		this.browser.awaitElement("[data-key='" + waiting + "']");
		clickOnPage("Delete all…");
		confirmNumber("Delete 1 job?", 1);
		assertThat(this.application.ojs().find(ended)).isEmpty();
		assertThat(stateOf(waiting)).isEqualTo(JobState.AVAILABLE);
		assertThat(stateOf(other)).isEqualTo(JobState.COMPLETED);
	}

	@Test
	void writerCancelsAWorkflow() {
		begin("writer");
		String byButton = workflow("by-button");
		open("workflow?id=" + byButton);
		this.browser.awaitText("h1", "by-button");
		clickOnPage("Cancel");
		answer("Cancel this workflow?", "Cancel the workflow");
		assertCancelled(byButton);
		String byKey = workflow("by-key");
		open("workflow?id=" + byKey);
		this.browser.awaitText("h1", "by-key");
		this.browser.press("x");
		answer("Cancel this workflow?", "Cancel the workflow");
		assertCancelled(byKey);
	}

	private void assertCancelled(String workflow) {
		assertThat(this.browser.read("v1/workflows/" + workflow).at("/workflow/state").asString())
			.isEqualTo("cancelled");
		assertThat(this.browser.read("v1/jobs?workflow_id=" + workflow).path("items")).isNotEmpty()
			.allMatch((job) -> job.path("state").asString().equals("cancelled"));
	}

	@Test
	void administratorSwitchesACronOffAndOn() {
		begin("admin");
		open("crons");
		clickInRow("stock-count", "Disable stock-count");
		answer("Disable “stock-count”?", "Disable");
		assertThat(isCronEnabled()).isFalse();
		clickInRow("stock-count", "Enable stock-count");
		answer("Enable “stock-count”?", "Enable");
		assertThat(isCronEnabled()).isTrue();
		open("crons?name=stock-count");
		this.browser.click(".chosen .button span", "Disable");
		answer("Disable “stock-count”?", "Disable");
		assertThat(isCronEnabled()).isFalse();
		this.browser.awaitText(".chosen", "None: it is disabled");
		this.browser.press("p");
		answer("Enable “stock-count”?", "Enable");
		assertThat(isCronEnabled()).isTrue();
	}

	private boolean isCronEnabled() {
		return this.application.bean(CronJobs.class).find("stock-count").orElseThrow().enabled();
	}

	@Test
	void administratorDirectsWorkersThatFetch() {
		begin("admin");
		for (String worker : List.of("fetcher-1", "fetcher-2")) {
			String beat = "{\"worker_id\": \"%s\", \"queues\": [\"parcels\"]}".formatted(worker);
			assertThat(this.browser.call("POST", "v1/workers/heartbeat", beat)).isEqualTo(200);
		}
		open("workers");
		clickInRow("fetcher-1", "Quiet fetcher-1");
		answer("Quiet this worker?", "Quiet");
		assertThat(told("fetcher-1")).isEqualTo("quiet");
		this.browser.awaitText("[data-key='fetcher-1']", "quiet");
		assertThat(this.browser.names("[data-key='fetcher-1'] button")).containsExactly("Terminate fetcher-1");
		clickInRow("fetcher-1", "Terminate fetcher-1");
		answer("Terminate this worker?", "Terminate");
		assertThat(told("fetcher-1")).isEqualTo("terminate");
		Browser.await("no button").until(() -> !this.browser.exists("[data-key='fetcher-1'] button"));
		assertThat(told("fetcher-2")).isEqualTo("running");
		open("workers?id=fetcher-2");
		this.browser.awaitText(".chosen h2", "fetcher-2");
		this.browser.press("q");
		answer("Quiet this worker?", "Quiet");
		assertThat(told("fetcher-2")).isEqualTo("quiet");
	}

	/** What a worker learns from its heartbeat. */
	private String told(String worker) {
		return this.application.bean(RemoteWorkers.class)
			.heartbeat(new Heartbeat(worker, List.of()))
			.state()
			.wireName();
	}

	@Test
	void operatorSeesWhoRunsWithALimitAndWhoWaits() {
		begin("reader");
		open("limits?key=printer");
		this.browser.awaitText(".chosen", "Who waits");
		String running = this.application.database()
			.queryForObject("select id::text from ojs_job where rate_key is not null and state = 'active'",
					String.class);
		assertThat(this.browser.texts(".chosen .columns h3")).containsExactly("Who runs", "Who waits");
		assertThat(this.browser.hrefs(".chosen .columns section:first-child ol a"))
			.containsExactly(this.application.uri() + "/ojs/ui/job?id=" + running);
		assertThat(this.browser.hrefs(".chosen .columns section:last-child ol a"))
			.containsExactly(this.application.uri() + "/ojs/ui/job?id=" + this.jobs.limited());
	}

	@Test
	void operatorSeesWhatATenantHas() {
		begin("reader");
		open("tenants?id=acme");
		this.browser.awaitText(".chosen h2", "acme");
		assertThat(this.browser.texts(".chosen .facts div")).contains(
				"Scheduled" + count("tenant = 'acme' and state = 'scheduled'"),
				"Available" + count("tenant = 'acme' and state = 'available'"));
		assertThat(this.browser.texts(".chosen .rows li")).anyMatch((row) -> row.matches("email ?1 scheduled"));
		this.browser.press("s");
		this.browser.awaitText("h1", "Overview");
		assertThat(this.browser.location()).endsWith("?as=acme");
	}

	private long count(String condition) {
		return this.application.database()
			.queryForObject("select count(*) from ojs_job where " + condition, Long.class);
	}

	@Test
	void commandOfAPageCallsTheAddressOfThePage() {
		begin("reader");
		this.browser.run(COPY);
		String job = "v1/jobs/" + this.jobs.sent();
		Map<String, String> addresses = new LinkedHashMap<>(Map.of("queues", "v1/depths", "jobs?queue=parcels",
				"v1/jobs?queue=parcels", "job?id=" + this.jobs.sent(), job, "dead-letters?type=invoice.create",
				"v1/dead-letter?type=invoice.create", "workflow?id=" + this.jobs.workflow(),
				"v1/workflows/" + this.jobs.workflow(), "crons", "v1/cron?runs=10", "operations", "v1/operations",
				"workers", "v1/admin/workers", "limits", "v1/rate-limits", "tenants",
				"v1/admin/tenants?view=unfinished"));
		addresses.forEach((page, address) -> {
			assertCommand(page, "curl '%s/ojs/%s'".formatted(this.application.uri(), address));
			assertThat(this.browser.call("GET", address, null)).as(address).isEqualTo(200);
		});
		assertCommand("jobs?as=acme",
				"curl -H 'X-OJS-Tenant: acme' '%s/ojs/v1/jobs'".formatted(this.application.uri()));
	}

	private void assertCommand(String page, String command) {
		open(page);
		Browser.await("the command of " + page).untilAsserted(() -> {
			clickOnPage("as curl");
			assertThat(this.browser.run("return window.copied.at(-1)")).isEqualTo(command);
		});
	}

	@Test
	void administratorOfATenantChangesNothingOfAnother() {
		for (String tenant : List.of("globex", "acme")) {
			enqueue(JobRequest.of("parcel.pack", 1).queue("parcels").meta("tenant_id", tenant));
			enqueue(JobRequest.of("mail.send", "x@example.org")
				.meta("tenant_id", tenant)
				.scheduledAt(Instant.now().plus(Duration.ofHours(5))));
			deadLetter(tenant);
		}
		List<Map<String, Object>> before = jobsOfOthers();
		begin("acme");
		open("dead-letters");
		this.browser.awaitElement("[data-key='" + this.jobs.acmeFailed() + "']");
		long letters = count("tenant = 'acme' and dead_lettered_at is not null");
		clickOnPage("Replay…");
		this.browser.awaitText("dialog h2", "Replay %d dead letters?".formatted(letters));
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".chosen .chip", "completed");
		awaitSecondFailure(this.jobs.acmeFailed());
		Browser.await("the end of all")
			.until(() -> count("tenant = 'acme' and dead_lettered_at is not null") == letters);
		open("dead-letters");
		this.browser.awaitElement("[data-key='" + this.jobs.acmeFailed() + "']");
		clickOnPage("Delete…");
		confirmNumber("Delete %d dead letters?".formatted(letters), letters);
		assertThat(count("tenant = 'acme' and dead_lettered_at is not null")).isZero();
		open("jobs?queue=parcels");
		long parcels = count("tenant = 'acme' and queue = 'parcels' and state = 'available'");
		clickOnPage("Cancel all…");
		confirmNumber("Cancel %d job".formatted(parcels), parcels);
		assertThat(count("tenant = 'acme' and queue = 'parcels' and state = 'available'")).isZero();
		open("jobs?queue=email");
		long mails = count("tenant = 'acme' and queue = 'email' and state = 'completed'");
		clickOnPage("Delete all…");
		confirmNumber("Delete %d job".formatted(mails), mails);
		assertThat(count("tenant = 'acme' and queue = 'email' and state = 'completed'")).isZero();
		open("queue?name=email");
		clickOnPage("Purge");
		this.browser.awaitText("dialog h2", "Purge email?");
		this.browser.find("dialog select").sendKeys("scheduled");
		this.browser.find("dialog input").sendKeys("email", Keys.ENTER);
		this.browser.awaitText(".toasts", "jobs of email purged");
		assertThat(count("tenant = 'acme' and queue = 'email' and state = 'scheduled'")).isZero();
		assertThat(jobsOfOthers()).isEqualTo(before);
	}

	/** What an act would change of jobs of the tenant globex and of no tenant. */
	private List<Map<String, Object>> jobsOfOthers() {
		return this.application.database()
			.queryForList(
					"select id, state, attempt, run, replays, ended_at, dead_lettered_at, operation_id from ojs_job "
							+ "where tenant = 'globex' or tenant is null order by id");
	}

	/** The default of Spring Security: the page has the token, and no cookie does. */
	@Test
	void administratorPausesAQueueWithATokenInTheSession() {
		try (VirtualHost host = RabbitBroker.shared().newVirtualHost();
				OperatedApplication other = OperatedApplication
					.on(host.uri(), "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()), "sa", "")
					.tokenInSession()
					.with(Shop.class)
					.start()) {
			this.browser.logIn(other.uri(), "admin");
			assertThat((String) this.browser.run("return document.cookie")).doesNotContain("XSRF");
			this.browser.open(other.uri(), "queue?name=email");
			this.browser.awaitText("h1", "email");
			this.browser.press("p");
			answer("Pause email?", "Pause");
			assertThat(this.browser.read("v1/queues/email").path("state").asString()).isEqualTo("paused");
			this.browser.expectFailures(); // Pages without a session, or with the token
											// of another one, are refused.
			this.browser.forgetSession();
			this.browser.inAnotherTab(() -> this.browser.logIn(other.uri(), "admin"));
			this.browser.awaitText(".page-note", "paused");
			this.browser.press("p");
			answer("Resume email?", "Resume");
			assertThat(this.browser.read("v1/queues/email").path("state").asString()).isEqualTo("active");
		}
	}

	@Test
	void pageWaitsAsLongAsTheServerSays() {
		begin("reader");
		open("jobs");
		this.browser.awaitElement("[data-key='" + this.jobs.sent() + "']");
		this.browser.run(UNAVAILABLE);
		this.browser.press("r");
		Browser.await("the page to ask again by itself").until(() -> asked().size() > 1);
		assertThat(asked().get(1) - asked().get(0)).isGreaterThanOrEqualTo(40_000);
	}

	private List<Long> asked() {
		return ((List<?>) this.browser.run("return window.asked")).stream()
			.map((each) -> ((Number) each).longValue())
			.toList();
	}

	/** The second time within a minute: it does not reload itself again. */
	@Test
	void pageWhoseScriptIsGoneOffersToReload() {
		expectMissingFiles();
		begin("reader");
		this.browser.run("document.querySelector('meta[name=ojs-version]').content = 'of another deployment'");
		this.browser.run(RELOADED);
		this.browser.without("/js/pages/limits.js", () -> {
			this.browser.press("g", "l");
			this.browser.awaitText(".notice", "A part of the dashboard could not be loaded");
		});
		this.browser.click(".notice button", "Reload the page");
		this.browser.awaitText("main", "printer");
	}

	@Test
	void dashboardWhoseScriptsAreGoneOffersToReload() {
		expectMissingFiles();
		begin("reader");
		this.browser.run(RELOADED);
		this.browser.without("/js/app.js", () -> {
			this.browser.visit(this.application.uri() + "/ojs/ui/limits");
			this.browser.awaitText("[role=alert]", "A part of the dashboard could not be loaded");
		});
		this.browser.click("[role=alert] button", "Reload the page");
		this.browser.awaitText("main", "printer");
	}

	private void expectMissingFiles() {
		this.browser.expectFailures();
		this.browser.expectMissingFiles();
	}

	private void begin(String user) {
		this.browser.logIn(this.application.uri(), user);
	}

	private void open(String page) {
		this.browser.open(this.application.uri(), page);
	}

	private void openJob(String id) {
		open("job?id=" + id);
		this.browser.awaitText(".page-note", id);
	}

	private void clickOnPage(String button) {
		this.browser.click(".page-head .button span", button);
	}

	private void clickInRow(String key, String icon) {
		String button = "[data-key='%s'] button[aria-label='%s']".formatted(key, icon);
		Browser.await(icon).untilAsserted(() -> this.browser.find(button).click());
	}

	/** Answers a question. The dialog ends with the answer of the API. */
	private void answer(String question, String button) {
		this.browser.awaitText("dialog h2", question);
		this.browser.click("dialog button", button);
		Browser.await("the end of the question").until(() -> !this.browser.exists("dialog"));
	}

	/** Types how many are meant, and waits until the operation has done it. */
	private void confirmNumber(String question, long number) {
		this.browser.awaitText("dialog h2", question);
		this.browser.press(String.valueOf(number), Keys.ENTER);
		this.browser.awaitText(".chosen .chip", "completed");
	}

	private String enqueue(JobRequest request) {
		return this.application.ojs().enqueue(request).id();
	}

	/** A job that no process works. */
	private String parcel() {
		return enqueue(JobRequest.of("parcel.pack", 1).queue("parcels"));
	}

	private static JobRequest mail(String customer) {
		return JobRequest.of("mail.send", "x@example.org").meta("customer", customer);
	}

	private String deadLetter(String tenant) {
		String id = enqueue(
				JobRequest.of("invoice.create", 5).meta("tenant_id", tenant).retry((retry) -> retry.maxAttempts(1)));
		DeadLetters letters = this.application.bean(DeadLetters.class);
		Browser.await("a dead letter").until(() -> letters.get(id).isPresent());
		return id;
	}

	private void awaitSecondFailure(String id) {
		Browser.await("the second failure")
			.until(() -> this.browser.read("v1/jobs/" + id).at("/job/errors").size() == 2);
	}

	private String workflow(String name) {
		return this.application.bean(Workflows.class)
			.start(Workflow.chain(name)
				.then(JobRequest.of("parcel.pack", 4).queue("parcels"))
				.then(JobRequest.of("mail.send", "x@example.org")))
			.id();
	}

	private JobState stateOf(String id) {
		return this.application.ojs().find(id).orElseThrow().state();
	}

	private void awaitState(String id, JobState state) {
		Browser.await(state.name()).until(() -> stateOf(id) == state);
	}

}
