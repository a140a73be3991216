package io.ojs.boot.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.internal.browser.Browser;
import io.ojs.web.internal.stream.ChangeStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators, developers and the support do, by keyboard: each finds its answer by
 * the keys that are named here, from the overview.
 */
class DashboardTasksTests extends DashboardTest {

	@Test
	void operatorSeesWhatIsStuckAndWhy() {
		begin("reader");
		this.browser.awaitText(".attention", "jobs wait in queue 'parcels', and no process takes it");
	}

	@Test
	void operatorSeesDeadLettersThatAwaitADecision() {
		begin("reader");
		this.browser.awaitText(".attention", "Queue 'billing' got 3 dead letters within 24 h");
		this.browser.awaitText("a.tile", "Dead letters 3");
		this.browser.press("g", "w");
		this.browser.awaitText("h1", "Workers");
		this.browser.awaitText(".nav a[href=dead-letters]", "3");
		this.browser.press("g", "o");
		this.browser.awaitElement("a.tile");
		this.browser.follow("a.tile");
		this.browser.awaitText("h1", "Dead letters");
	}

	@Test
	void operatorLearnsWhyAJobDoesNotRun() {
		begin("reader");
		this.browser.press("/", this.jobs.waiting(), Keys.ENTER);
		this.browser.awaitText(".why-sentence", "parcels");
		begin("reader");
		this.browser.press("/", this.jobs.limited(), Keys.ENTER);
		this.browser.awaitText(".why-sentence", "printer");
	}

	@Test
	void beginningOfAnIdIsEnough() {
		begin("reader");
		this.browser.press("/", this.jobs.waiting().substring(0, 23));
		this.browser.awaitText("dialog", "parcel.pack");
		this.browser.press(Keys.ARROW_DOWN, Keys.ENTER);
		this.browser.awaitText("main h1", "parcel.pack");
	}

	@ParameterizedTest
	@CsvSource({ "reader, 7", "acme, 41" })
	void developerSeesWhyAJobFailed(String user, int order) {
		String job = (order == 7) ? this.jobs.failed() : this.jobs.acmeFailed();
		begin(user);
		this.browser.press("g", "d");
		this.browser.awaitText("h1", "Dead letters");
		this.browser.awaitElement("[data-key='" + job + "']");
		select(job);
		this.browser.press(Keys.ENTER);
		this.browser.awaitText("h1", "invoice.create");
		assertThat(this.browser.text(".errors")).contains("no price for order " + order, "Shop.invoice",
				"Caused by java.lang.IllegalArgumentException", "the price list is empty");
	}

	@Test
	void tenantLearnsWhyItsJobDoesNotRun() {
		begin("acme");
		this.browser.press("/", this.jobs.acmeScheduled(), Keys.ENTER);
		this.browser.awaitText("h1", "mail.send");
		this.browser.awaitText(".why-sentence", "scheduled");
	}

	/** What no longer matches stays where it is until the user asks. */
	@Test
	void rowThatNoLongerMatchesIsAnnounced() {
		String id = this.application.ojs()
			.enqueue(JobRequest.of("parcel.pack", 8).scheduledAt(Instant.now().plus(Duration.ofHours(3))))
			.id();
		begin("admin");
		this.browser.open(this.application.uri(), "jobs?state=scheduled");
		this.browser.awaitElement("[data-key='" + id + "']");
		assertThat(this.application.ojs().cancel(id)).isPresent();
		this.browser.awaitText("button.fresh", "1 gone");
		assertThat(this.browser.exists("[data-key='" + id + "']")).isTrue();
		this.browser.find("button.fresh").click();
		Browser.await("the row to go").until(() -> !this.browser.exists("[data-key='" + id + "']"));
	}

	@Test
	void pageOfAHiddenTabTakesNoEventsAndCatchesUp() {
		ChangeStreams streams = this.application.bean(ChangeStreams.class);
		begin("admin");
		this.browser.open(this.application.uri(), "jobs");
		this.browser.awaitText(".connection", "Live");
		Browser.await("its stream").until(() -> streams.size() == 1);
		// By its clock, no page is old enough to be loaded again.
		this.browser.run("const now = Date.now() + 3_000; Date.now = () => now");
		List<String> ids = new ArrayList<>();
		this.browser.inAnotherTab(() -> {
			Browser.await("the end of its stream").until(() -> streams.size() == 0);
			ids.add(this.application.ojs()
				.enqueue(JobRequest.of("parcel.pack", 9).scheduledAt(Instant.now().plus(Duration.ofHours(3))))
				.id());
		});
		this.browser.awaitText("button.fresh", "1 new");
		this.browser.find("button.fresh").click();
		this.browser.awaitElement("[data-key='" + ids.get(0) + "']");
	}

	@Test
	void developerCopiesAJobAsCode() {
		begin("reader");
		this.browser.open(this.application.uri(), "job?id=" + this.jobs.sent());
		this.browser
			.run("window.copied = []; navigator.clipboard.writeText = async (text) => window.copied.push(text)");
		this.browser.run(
				"[...document.querySelectorAll('button')].find((each) => each.textContent.includes('as code')).click()");
		Browser.await("the code").until(() -> !((List<?>) this.browser.run("return window.copied")).isEmpty());
		assertThat(this.browser.run("return window.copied[0]")).isEqualTo(
				"ojs.enqueue(JobRequest.of(\"mail.send\", \"ann@example.org\").queue(\"email\").meta(\"customer\", \"4711\")"
						+ ".tags(\"urgent\"));");
	}

	@Test
	void developerTellsAttemptsApart() {
		OjsOperations ojs = this.application.ojs();
		DeadLetters letters = this.application.bean(DeadLetters.class);
		String id = ojs
			.enqueue(JobRequest.of("invoice.create", 9)
				.retry((retry) -> retry.maxAttempts(2).initialInterval(Duration.ofMillis(100))))
			.id();
		try {
			for (int replays = 0; replays < 3; replays++) {
				Browser.await("a dead letter").until(() -> letters.get(id).isPresent());
				if (replays < 2) {
					letters.replay(id, ReplayOverrides.NONE);
				}
			}
			begin("reader");
			this.browser.press("/", id, Keys.ENTER);
			this.browser.awaitText("h1", "invoice.create");
			List<String> errors = this.browser.texts(".errors > details > summary");
			assertThat(errors).hasSize(6);
			assertThat(errors.get(0)).startsWith("Attempt 2 after replay 2")
				.contains("IllegalStateException: no price for order 9", "same as attempt 1");
			assertThat(errors.get(1)).startsWith("Attempt 1 after replay 2");
			assertThat(errors.get(5)).startsWith("Attempt 1").doesNotContain("replay", "same as");
			assertThat(this.browser.texts(".errors > details[open] > summary")).singleElement()
				.asString()
				.startsWith("Attempt 2 after replay 2");
			assertThat(this.browser.text(".timeline").split("Replayed", -1)).as("both replays").hasSize(3);
			assertThat(this.browser.text()).doesNotContain("This list is incomplete");
		}
		finally {
			letters.delete(id);
		}
	}

	@Test
	void supportFindsTheDeadLetterOfACustomer() {
		begin("reader");
		this.browser.press("g", "d");
		this.browser.awaitText("[data-key='" + this.jobs.failed() + "']", "customer=4712");
		this.browser.find("[data-key='" + this.jobs.failed() + "'] .label").click();
		this.browser.awaitText("h1", "Jobs");
		this.browser.awaitElement("[data-key='" + this.jobs.failed() + "']");
		assertThat(this.browser.texts("tbody tr")).hasSize(1);
		assertThat(this.browser.text("tbody tr")).contains("no price for order 7", "customer=4712");
	}

	@Test
	void operatorClearsAllFiltersOfDeadLetters() {
		begin("reader");
		this.browser.open(this.application.uri(),
				"dead-letters?queue=billing&error_type=java.*&until=2026-01-01T00:00:00Z");
		this.browser.awaitText("main", "No dead letter matches");
		this.browser.follow(".filters a.button");
		this.browser.awaitElement("[data-key='" + this.jobs.failed() + "']");
		assertThat(this.browser.location()).endsWith("/dead-letters");
		assertThat(this.browser.exists(".filters a.button")).isFalse();
	}

	@Test
	void supportFindsTheJobsOfACustomer() {
		begin("reader");
		this.browser.press("/", "meta.customer=4711", Keys.ENTER);
		this.browser.awaitText("h1", "Jobs");
		this.browser.awaitElement("[data-key='" + this.jobs.sent() + "']");
		assertThat(this.browser.texts("tbody tr")).hasSize(1);
		this.browser.press("j", Keys.ENTER);
		this.browser.awaitText("h1", "mail.send");
		assertThat(this.browser.text()).contains("ann@example.org");
	}

	@Test
	void supportFindsJobsByTheBeginningOfALabel() {
		begin("reader");
		this.browser.press("/", "cust");
		this.browser.awaitText("dialog", "customer=…");
		this.browser.press(Keys.ENTER, "47");
		this.browser.awaitText("dialog", "customer=4712");
		this.browser.press(Keys.ARROW_DOWN, Keys.ENTER);
		this.browser.awaitElement("[data-key='" + this.jobs.sent() + "']");
		assertThat(this.browser.texts("tbody tr")).hasSize(2);
		String row = "[data-key='" + this.jobs.failed() + "'] ";
		assertThat(this.browser.text(row)).contains("no price for order 7", "customer=4712");
		assertThat(this.browser.run("const label = document.querySelector(arguments[0] + '.label');"
				+ "return label.getBoundingClientRect().right <= label.closest('td').getBoundingClientRect().right",
				row))
			.as("the label is not cut off")
			.isEqualTo(true);
	}

	@Test
	void choiceOfATenantShowsTheTenantThatIsChosen() {
		begin("reader");
		for (String wanted : List.of("acme", "globex", "")) {
			this.browser.run("const select = document.querySelector('.tenant select'); select.value = '\\0';"
					+ "select.dispatchEvent(new Event('change'))");
			this.browser.awaitText("dialog", "Show one tenant");
			if (wanted.isEmpty()) {
				this.browser.find("dialog input").sendKeys("no tenant", Keys.ENTER);
				this.browser.awaitText("dialog .problem", "No tenant can have this id.");
				this.browser.press(Keys.ESCAPE);
				Browser.await("the end of the dialog").until(() -> !this.browser.exists("dialog"));
			}
			else {
				this.browser.find("dialog input").sendKeys(wanted, Keys.ENTER);
				Browser.await("the tenant").until(() -> this.browser.location().contains("as=" + wanted));
			}
			String shown = wanted.isEmpty() ? "globex" : wanted;
			Browser.await(shown)
				.until(() -> shown.equals(this.browser.run("return document.querySelector('.tenant select').value")));
		}
		this.browser.run("localStorage.clear()");
	}

	/** As quickly as the user types who knows the form. */
	@Test
	void filtersThatAreSetOneRightAfterTheOtherAllCount() {
		begin("reader");
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run("""
				const set = (name, value, event) => {
					const field = document.querySelector(`[name=${name}]`);
					field.value = value;
					field.dispatchEvent(new Event(event, { bubbles: true }));
				};
				set('queue', 'email', 'input');
				set('type', 'mail.*', 'input');
				set('state', 'completed', 'change');""");
		Browser.await("all filters")
			.untilAsserted(
					() -> assertThat(this.browser.location()).contains("queue=email", "type=mail.", "state=completed"));
		this.browser.awaitElement("[data-key='" + this.jobs.sent() + "']");
	}

	@Test
	void labelThatNoJobHasIsExplained() {
		begin("reader");
		this.browser.open(this.application.uri(), "jobs?label=customer%3D47");
		this.browser.awaitText("main", "No job has the label customer=47");
		this.browser.follow(".empty a");
		this.browser.awaitElement("[data-key='" + this.jobs.sent() + "']");
		this.browser.expectFailures();
		this.browser.open(this.application.uri(), "jobs?label=customer");
		this.browser.awaitText("main", "A label is written key=value");
		assertThat(this.browser.exists("input[name=label]")).isTrue();
	}

	@Test
	void paletteOffersWhatThereIs() {
		begin("reader");
		this.browser.press("/", "mail");
		this.browser.awaitText("dialog", "mail.send");
		assertThat(this.browser.texts("dialog li")).contains("mail.sendtype");
		this.browser.press(".nonsense");
		this.browser.awaitText("dialog", "Search for “mail.nonsense”");
		assertThat(this.browser.texts("dialog li")).hasSize(1);
	}

	@Test
	void shortIdOfAPageIsEnough() {
		begin("reader");
		this.browser.open(this.application.uri(), "jobs?type=parcel.pack");
		String row = "[data-key='" + this.jobs.waiting() + "'] code";
		this.browser.awaitElement(row);
		this.browser.press("/", this.browser.text(row));
		this.browser.awaitText("dialog", "parcel.pack");
		this.browser.press(Keys.ARROW_DOWN, Keys.ENTER);
		this.browser.awaitText("main h1", "parcel.pack");
		assertThat(this.browser.location()).endsWith(this.jobs.waiting());
	}

	@Test
	void supportReadsEncryptedArgumentsAndSaysWhy() {
		begin("codec");
		this.browser.press("/", this.jobs.secret(), Keys.ENTER);
		this.browser.awaitText("main", "Encrypted with the key 2026-11");
		assertThat(this.browser.source()).doesNotContain("4111-1111");
		this.browser.press("a");
		this.browser.awaitElement("dialog[open] input[name=reason]");
		this.browser.press("Ticket 4711", Keys.ENTER);
		this.browser.awaitText("main", "4111-1111");
	}

	@Test
	void administratorPausesAQueue() {
		begin("admin");
		this.browser.press("g", "q");
		this.browser.awaitElement("[data-key='stock']");
		select("stock");
		this.browser.press("p");
		this.browser.awaitText("dialog", "Pause stock?");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText("[data-key='stock']", "by admin");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".page-note", "by admin");
		assertThat(this.browser.call("POST", "v1/queues/stock/resume", "{}")).as("for other tests").isEqualTo(200);
	}

	@Test
	void administratorConfiguresDrainsAndPurgesAQueue() {
		String kept = this.application.ojs().enqueue(JobRequest.of("box.keep", 1).queue("attic")).id();
		String later = this.application.ojs()
			.enqueue(JobRequest.of("box.keep", 2).queue("attic").scheduledAt(Instant.now().plus(Duration.ofHours(3))))
			.id();
		begin("admin");
		this.browser.open(this.application.uri(), "queue?name=attic");
		this.browser.click("main button", "Configure");
		this.browser.awaitText("dialog", "Configure attic");
		this.browser.click("dialog button", "Save");
		this.browser.awaitText("dialog .problem", "Nothing is changed.");
		this.browser.find("dialog input").sendKeys("0", Keys.ENTER);
		this.browser.awaitText("dialog .problem", "This must be a number from 1.");
		this.browser.find("dialog input").sendKeys(Keys.BACK_SPACE, "3", Keys.ENTER);
		this.browser.awaitText(".toasts", "attic is configured");
		this.browser.awaitText("main", "concurrency3this queue, at run time");
		this.browser.click("main button", "Drain");
		this.browser.awaitText("dialog", "When it is empty, it is deleted with its configuration");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".page-note", "raining");
		this.browser.click("main button", "Purge");
		this.browser.find("dialog select").sendKeys("available");
		this.browser.find("dialog input").sendKeys("email");
		this.browser.click("dialog button", "Purge");
		this.browser.awaitText("dialog .problem", "Type attic to confirm.");
		assertThat(this.application.ojs().find(kept).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
		this.browser.find("dialog input").clear();
		this.browser.find("dialog input").sendKeys("attic", Keys.ENTER);
		this.browser.awaitText(".toasts", "1 job of attic purged");
		assertThat(this.application.ojs().find(kept).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.application.ojs().find(later).orElseThrow().state()).as("in another state")
			.isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void operatorSeesWhetherTheCronOfTheNightRan() {
		begin("reader");
		this.browser.press("g", "c");
		this.browser.awaitText("h1", "Crons");
		this.browser.awaitText("[data-key='stock-count']", "completed");
	}

	@Test
	void operatorSeesWhenACronRanHowLongAndWhoTriggeredIt() {
		begin("writer");
		this.browser.press("g", "c");
		this.browser.awaitText("h1", "Crons");
		this.browser.awaitElement("[data-key='stock-count']");
		this.browser.press("j", Keys.ENTER);
		this.browser.awaitText(".chosen", "Last runs");
		this.browser.press("t");
		this.browser.awaitText("dialog", "Run “stock-count” now?");
		this.browser.press(Keys.ENTER);
		Browser.await("the run").untilAsserted(() -> {
			String run = this.browser.text(".chosen tbody tr");
			assertThat(run).matches(".*(ago|now)completedwriter.*(ago|now)[0-9.]+ m?s");
		});
		assertThat(this.browser.texts(".chosen tbody tr").get(1)).contains("completedshop");
	}

	@Test
	void operatorSeesWhichProcessesWorkWhat() {
		begin("reader");
		this.browser.press("g", "w");
		this.browser.awaitText("h1", "Workers");
		this.browser.awaitText("main", "Processes");
		assertThat(this.browser.text("main")).contains("mail.send", "email", "shop");
	}

	@Test
	void operatorSeesWhatAProcessRuns() {
		begin("reader");
		this.browser.press("g", "w");
		this.browser.awaitElement("main a[href^='jobs?worker=']");
		this.browser.follow("main a[href^='jobs?worker=']");
		this.browser.awaitElement("[data-key='" + this.jobs.running() + "']");
		assertThat(this.browser.texts("tbody tr")).hasSize(2).allMatch((row) -> row.contains("report.build"));
		assertThat(this.browser.text("thead")).containsIgnoringCase("Process");
		this.browser.follow("tbody a[href^='workers?id=']");
		this.browser.awaitText("h1", "Workers");
	}

	@Test
	void developerSeesWhatFailsSinceTheDeployment() {
		for (String page : new String[] { "dead-letters", "jobs?type=invoice.create" }) {
			begin("reader");
			this.browser.open(this.application.uri(), page);
			this.browser.awaitText("select[name=since]", "since 2.4.0 started (");
			chooseTime("since 2.4.0 started (");
			this.browser.awaitElement("form.filters a.button");
			this.browser.awaitElement("[data-key='" + this.jobs.failed() + "']");
			assertThat(this.browser.location()).contains("since=20");
			chooseTime("since a time");
			this.browser.awaitElement("input[name=until]");
			this.browser
				.run("const field = document.querySelector('input[name=since]'); field.value = '2100-01-01T00:00';"
						+ "field.dispatchEvent(new Event('change'))");
			this.browser.awaitElement(".empty");
			assertThat(this.browser.location()).contains("since=2");
		}
	}

	private void chooseTime(String label) {
		this.browser.run("const select = document.querySelector('select[name=since]');"
				+ "select.value = [...select.options].find((each) => each.label.includes(arguments[0])).value;"
				+ "select.dispatchEvent(new Event('change'))", label);
	}

	@Test
	void developerSeesWhatFailsAndSinceWhen() {
		begin("reader");
		this.browser.press("g", "d");
		this.browser.awaitText(".facets", "no price for order");
		assertThat(this.browser.text(".facets")).contains("Shop.invoice", "first", "last");
	}

	@Test
	void administratorReplaysWhatWasFixed() {
		begin("admin");
		this.browser.press("g", "d");
		this.browser.awaitElement(".facets a");
		this.browser.press("t");
		this.browser.awaitText("dialog", "Replay 3 dead letters?");
		assertThat(this.browser.text("dialog")).contains("This replays all 3 dead letters of all queues.",
				"Type invoice.create", "Error lang.IllegalStateException");
		this.browser.press("0.05");
		this.browser.awaitText("dialog", "About 1 min for 3 jobs.");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText("h1", "Operations");
		this.browser.awaitText(".chosen", "1 of 3");
		assertThat(this.browser.text(".chosen .chip")).as("while jobs wait for their turn").isEqualTo("running");
		assertThat(this.browser.text("tbody .chip")).as("as the panel says").isEqualTo("running");
		assertThat(this.browser.text("main")).contains("admin");
		assertThat(this.application.bean(DeadLetters.class).stats().total()).isGreaterThanOrEqualTo(2);
		this.browser.awaitText(".outcome", "1 failed again");
		this.browser.press("s");
		this.browser.awaitText("dialog", "The others are left as they are: dead letters.");
		assertThat(this.browser.text("dialog")).contains("Stop the replay of dead letters?", "0.05 a second",
				"By admin, begun");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText(".chosen .chip", "stopped");
		this.browser.follow(".outcome a");
		this.browser.awaitText("h1", "Jobs");
		this.browser.awaitText("main", "this operation");
		assertThat(this.browser.texts("tbody tr")).hasSize(1);
		this.browser.follow("tbody a");
		this.browser.awaitText(".timeline", "by admin");
	}

	/** The browser has no value of a field with half a number. */
	@Test
	void administratorWhoMistypesTheRateIsToldSo() {
		begin("admin");
		this.browser.press("g", "d");
		this.browser.awaitElement(".facets a");
		this.browser.press("t");
		this.browser.awaitText("dialog", "Replay 3 dead letters?");
		this.browser.press("1e", Keys.ENTER);
		this.browser.awaitText("dialog .problem", "This must be a number.");
		assertThat(this.browser.location()).endsWith("/dead-letters");
		this.browser.press(Keys.ESCAPE);
	}

	@Test
	void administratorIsWarnedThatReplayedJobsWouldWait() {
		begin("admin");
		assertThat(this.browser.call("POST", "v1/queues/billing/pause", "{}")).isEqualTo(200);
		try {
			this.browser.press("g", "q");
			this.browser.awaitText("[data-key='billing']", "paused");
			this.browser.press("g", "d");
			this.browser.awaitElement(".facets a");
			this.browser.press("t");
			this.browser.awaitText("dialog", "Paused: billing. Jobs that go there wait until you resume it.");
		}
		finally {
			assertThat(this.browser.call("POST", "v1/queues/billing/resume", "{}")).isEqualTo(200);
		}
	}

	/** What arrives after the question stays. */
	@Test
	void administratorDeletesTheDeadLettersOfThePage() {
		DeadLetters letters = this.application.bean(DeadLetters.class);
		JobRequest request = JobRequest.of("invoice.create", 11)
			.meta("tenant_id", "initech")
			.retry((retry) -> retry.maxAttempts(1));
		String shown = this.application.ojs().enqueue(request).id();
		Browser.await("a dead letter").until(() -> letters.get(shown).isPresent());
		begin("admin");
		this.browser.open(this.application.uri(), "dead-letters?tenant=initech");
		this.browser.awaitElement("[data-key='" + shown + "']");
		this.browser.find(".page-head .button.danger").click();
		this.browser.awaitText("dialog", "Delete 1 dead letter?");
		String later = this.application.ojs().enqueue(request).id();
		Browser.await("another one").until(() -> letters.get(later).isPresent());
		this.browser.press("1", Keys.ENTER);
		this.browser.awaitText(".chosen", "completed");
		assertThat(letters.get(shown)).isEmpty();
		assertThat(letters.delete(later)).isTrue();
	}

	/** A button does what the list shows, or says why it does not. */
	@Test
	void administratorCancelsWhatTheListShows() {
		String wanted = this.application.ojs()
			.enqueue(JobRequest.of("parcel.pack", 9).queue("parcels").meta("customer", "9000"))
			.id();
		String other = this.application.ojs()
			.enqueue(JobRequest.of("parcel.pack", 9).queue("parcels").meta("customer", "9001"))
			.id();
		begin("admin");
		this.browser.open(this.application.uri(), "jobs?label=customer%3D9000&since=1h");
		this.browser.awaitElement("[data-key='" + wanted + "']");
		this.browser.find(".page-head .button").click();
		this.browser.awaitText("dialog", "Cancel 1 job?");
		this.browser.press("1", Keys.ENTER);
		this.browser.awaitText(".chosen", "completed");
		assertThat(this.application.ojs().find(wanted).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.application.ojs().find(other).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
		this.browser.open(this.application.uri(), "jobs?queue=parcels&colour=red");
		this.browser.awaitText("main", "Cancel all…");
		assertThat(this.browser.run("return [...document.querySelectorAll('.actions .button')]"
				+ ".filter((each) => each.disabled).map((each) => each.title).join()"))
			.asString()
			.contains("Remove the filter colour first");
	}

	/** Everything begins at the overview. */
	private void begin(String user) {
		this.browser.logIn(this.application.uri(), user);
	}

	/** Goes down by j until the row has the focus. */
	private void select(String key) {
		for (int i = 0; i < 50; i++) {
			this.browser.press("j");
			if (key
				.equals(this.browser.run("return document.activeElement.closest('[data-key]')?.dataset.key ?? null"))) {
				return;
			}
		}
		throw new AssertionError("No row " + key);
	}

}
