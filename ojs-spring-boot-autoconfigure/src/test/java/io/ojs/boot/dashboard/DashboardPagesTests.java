package io.ojs.boot.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ojs.job.JobRequest;
import io.ojs.test.internal.browser.Browser;
import io.ojs.test.internal.browser.Browser.Look;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each page, wide and narrow, light and dark: it shows its content, nothing is wider than
 * the window, axe finds nothing serious, and the browser has nothing to complain about.
 * 320 px are a window of 1280 px at a zoom of 400 %.
 */
class DashboardPagesTests extends DashboardTest {

	private static final Pattern TIME = Pattern
		.compile("(since )?[A-Z][a-z]{2} \\d{1,2}, \\d{4}, \\d{2}:\\d{2}:\\d{2} GMT\\+[12]");

	private static final Set<String> WITHOUT_TIMES = Set.of("nothing", "operations", "limits", "tenants");

	private static final String TITLES = "return [...document.querySelectorAll('main time')].map((each) => each.title)";

	private static final String KEYS = """
			const file = performance.getEntriesByType('resource').find(({name}) => name.endsWith(`/pages/${arguments[0]}.js`));
			return import(file.name).then((module) => Object.keys(module.default.keys))""";

	private static final String VISIBILITY = "return getComputedStyle(document.querySelector('ojs-chart .u-value')).visibility";

	/** The figures say that they are old, however new they are. */
	private static final String OLD_FIGURES = """
			const fetched = window.fetch;
			window.asked = [];
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				if (!String(call[0]).includes('v1/depths')) {
					return answer;
				}
				window.asked.push(Date.now());
				const body = {...await answer.json(), as_of: new Date(Date.now() - 10_000).toISOString()};
				return new Response(JSON.stringify(body), {status: answer.status, headers: answer.headers});
			}""";

	/**
	 * As the server counts a part of the jobs of email, which has many, and of dead
	 * letters.
	 */
	private static final String PART_COUNTED = """
			const fetched = window.fetch;
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				if (!String(call[0]).includes('v1/depths')) {
					return answer;
				}
				const body = await answer.json();
				body.counted = {complete: false, dead_letters_complete: false, bound: 100_000};
				body.queues.forEach((queue) => queue.dead_letters = queue.name === 'billing' ? 500 : 2);
				Object.assign(body.queues.find(({name}) => name === 'email'), {waiting: 1000, difference: null,
					store: {scheduled: 3, available: 1000, pending: 0, active: 4, retryable: 0, blocked: 0,
						oldest_available_at: null, complete: false}});
				return new Response(JSON.stringify(body), {status: answer.status, headers: answer.headers});
			}""";

	private static final String CHANGE_QUEUE = """
			const [name, changes] = [arguments[0], {state: arguments[1], delivery: arguments[2]}];
			const fetched = window.fetch;
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				if (!String(call[0]).includes('v1/depths')) {
					return answer;
				}
				const body = await answer.json();
				Object.assign(body.queues.find((queue) => queue.name === name), changes);
				return new Response(JSON.stringify(body), {status: answer.status, headers: answer.headers});
			}""";

	/** Ten jobs in each of the last minutes, and many more before. */
	private static final String TEN_IN_A_MINUTE = """
			const fetched = window.fetch;
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				if (!String(call[0]).includes('by=none')) {
					return answer;
				}
				const body = await answer.json();
				const points = [];
				for (let at = Date.parse(body.since); at <= Date.parse(body.until); at += body.step_seconds * 1000) {
					points.push({at: new Date(at).toISOString(), completed: body.step_seconds === 60 ? 10 : 1000});
				}
				return new Response(JSON.stringify({...body, series: [{key: null, points}]}),
					{status: answer.status, headers: answer.headers});
			}""";

	private static final String COUNT_RELOADS = """
			const fetched = window.fetch;
			window.asked = 0;
			window.fetch = (...call) => {
				window.asked += /v1.jobs([?]|$)/.test(call[0]) ? 1 : 0;
				return fetched(...call);
			};""";

	/** The clock goes on until the page is old, and the page looks at it. */
	private static final String GROW_OLD = """
			const now = Date.now;
			Date.now = () => now() + 60_000;
			document.dispatchEvent(new Event('visibilitychange'));
			return window.asked;""";

	/**
	 * Another shell, whose timers the test fires while the tab is hidden, and then while
	 * it is shown.
	 */
	private static final String HIDE_AND_SHOW = """
			const done = arguments[0];
			const file = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/js/app.js'));
			const {setInterval, fetch, Date: {now}} = window;
			const timers = [];
			window.setInterval = (task) => timers.push(task);
			const fire = async (hidden) => {
				const asked = [];
				window.fetch = (...call) => {
					asked.push(String(call[0]).replace(/.*[/]ojs[/]|[?].*/g, ''));
					return fetch(...call);
				};
				Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true});
				timers.forEach((task) => task());
				await new Promise((later) => setTimeout(later, 500));
				return asked;
			};
			import(file.name).then(async ({start}) => {
				await start(document.createElement('div'));
				window.setInterval = setInterval;
				await new Promise((later) => setTimeout(later, 1_500)); // Its stream is live, for which it asks, too.
				Date.now = () => now() + 60_000;
				done([await fire(true), await fire(false)]);
			});""";

	private static final String LEFT_BEHIND = """
			const file = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/js/html.js'));
			return import(file.name).then(({html, render, repeat}) => {
				const box = document.createElement('div');
				const draw = (rows) => render(html`<p>${repeat(rows, (row) => row, (row) => html`<b>${row}</b>`)}</p>`, box);
				draw(['a', 'b', 'c']);
				const before = box.querySelector('p').childNodes.length;
				for (let i = 0; i < 10; i++) {
					draw([`a${i}`, 'b', `c${i}`]);
				}
				return box.querySelector('p').childNodes.length - before;
			})""";

	private static final String DEAD_LETTERS = """
			const fetched = window.fetch;
			window.letters = {};
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				return String(call[0]).includes('v1/attention')
					? new Response(JSON.stringify({...await answer.json(), dead_letters: window.letters}),
						{status: answer.status, headers: answer.headers}) : answer;
			}""";

	/** One label is no list, which a cell of the table finds. */
	private static final String WRONG_LABELS = """
			const fetched = window.fetch;
			console.error = () => {};
			window.wrong = true;
			window.fetch = async (...call) => {
				const answer = await fetched(...call);
				if (!window.wrong || !/v1.jobs([?]|$)/.test(call[0])) {
					return answer;
				}
				const body = await answer.json();
				body.items.forEach((job) => job.labels = 'wrong');
				return new Response(JSON.stringify(body), {status: answer.status, headers: answer.headers});
			}""";

	private static final String SLOW_ONCE = """
			const fetched = window.fetch;
			window.asked = 0;
			window.fetch = async (...call) => {
				if (/v1.jobs([?]|$)/.test(call[0]) && ++window.asked === 1) {
					await new Promise((done) => window.answer = done);
				}
				return fetched(...call);
			}""";

	private static final String CLOCK_SET_BACK = """
			const now = Date.now;
			Date.now = () => now() - 7_200_000;""";

	/** The states of a stream, and what it waits for then. */
	private static final String STATES = """
			const [path, done] = arguments;
			const file = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/js/event-stream.js'));
			import(file.name).then(({EventStream}) => {
				const states = [];
				const stream = new EventStream(new URL('../' + path, document.baseURI).href, null, () => {}, (state) => {
					states.push(state);
					if (state !== 'connecting') {
						stream.close();
						done(states.join(', '));
					}
				});
			})""";

	/** The worker, in the page: its clock jumps, and it looks for tabs that are gone. */
	private static final String SLEEP = """
			const done = arguments[0];
			const file = performance.getEntriesByType('resource').find(({name}) => name.endsWith('/js/event-stream.js'));
			const {setInterval, Date: {now}} = window;
			let sweep;
			window.setInterval = (task) => sweep = task;
			import(file.name.replace('event-stream', 'stream-worker')).then(() => {
				window.setInterval = setInterval;
				const told = [];
				const {port1, port2} = new MessageChannel();
				window.dispatchEvent(new MessageEvent('connect', {ports: [port2]}));
				port1.onmessage = ({data}) => {
					if (!data.change) {
						told.push(data.state ?? 'alive');
					}
					if (data.state === 'live' && !told.includes('lost')) {
						Date.now = () => now() + 600_000;
						sweep();
						port1.postMessage({do: 'alive'});
					}
					if (told.includes('alive') && told.at(-1) === 'live') {
						Date.now = now;
						port1.postMessage({do: 'close'});
						done(told.join(', '));
					}
				};
				port1.postMessage({do: 'open', url: new URL('../v1/events/stream', document.baseURI).href, caller: 'test'});
			})""";

	@BeforeAll
	void logIn() {
		this.browser.liveIn("Europe/Berlin");
		this.browser.logIn(this.application.uri(), "admin");
	}

	List<Arguments> pages() {
		return Stream.concat(this.jobs.pages().stream(), Stream.of(Arguments.of("nothing", "There is no such page")))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void page(String page, String text) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText("main", text);
		assertThat(this.browser.exists(".notice")).isEqualTo(page.equals("nothing"));
		for (Look look : Look.at(text)) {
			assertThat(this.browser.flaws(look)).as(look.name()).isEmpty();
		}
		assertThat(this.browser.text(".zone")).isEqualTo("Times: Europe/Berlin");
		assertThat(titlesOfTimes().isEmpty()).as("no times").isEqualTo(WITHOUT_TIMES.contains(page));
		assertThat(titlesOfTimes()).allMatch((title) -> TIME.matcher(title).matches(), "a full time with its zone");
		assertThat(this.browser.text("main")).doesNotContain(" AM", " PM");
	}

	private List<String> titlesOfTimes() {
		return ((List<?>) this.browser.run(TITLES)).stream().map(String.class::cast).toList();
	}

	/** The help names the keys of the page's module, and no others. */
	@ParameterizedTest
	@ValueSource(
			strings = { "queues", "queue?name=email", "crons", "operations", "tenants", "dead-letters", "workers" })
	void helpNamesTheKeysOfThePage(String page) {
		this.browser.open(this.application.uri(), page);
		List<?> keys = (List<?>) this.browser.run(KEYS, page.replaceAll("[?].*", ""));
		assertThat(keys).isNotEmpty();
		this.browser.press("?");
		this.browser.awaitElement("dialog .help");
		assertThat(this.browser.texts("dialog .own kbd")).containsExactlyInAnyOrderElementsOf(strings(keys));
		assertThat(this.browser.text("dialog .help")).contains("Other pages");
		this.browser.press(Keys.ESCAPE);
	}

	private static List<String> strings(List<?> values) {
		return values.stream().map(String::valueOf).toList();
	}

	@Test
	void chartShowsValuesOnlyUnderThePointer() {
		this.browser.open(this.application.uri(), "./");
		this.browser.awaitElement("ojs-chart .u-over");
		assertThat(this.browser.run(VISIBILITY)).isEqualTo("hidden");
		this.browser.pointAt("ojs-chart .u-over");
		Browser.await("the values").until(() -> "visible".equals(this.browser.run(VISIBILITY)));
		this.browser.pointAt("h1");
		Browser.await("no values").until(() -> "hidden".equals(this.browser.run(VISIBILITY)));
	}

	@Test
	void pausedQueueHasNoTimeUntilItIsEmpty() {
		this.browser.open(this.application.uri(), "queue?name=parcels");
		this.browser.awaitText(".facts", "nothing completes");
		assertThat(this.browser.call("POST", "v1/queues/parcels/pause", "{}")).isEqualTo(200);
		this.browser.awaitText(".facts", "Empty inpaused");
		assertThat(this.browser.text(".facts")).doesNotContain("nothing completes");
		assertThat(this.browser.call("POST", "v1/queues/parcels/resume", "{}")).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "parcels, active, hand-over, its jobs are handed over to other workers",
			"stock, deleted, broker, it is deleted" })
	void queueThatCannotBePausedSaysSo(String name, String state, String delivery, String why) {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run(CHANGE_QUEUE, name, state, delivery);
		for (String page : List.of("queues", "queue?name=" + name)) {
			this.browser.open(this.application.uri(), page);
			this.browser.awaitText("main", name);
			assertThat(this.browser.names("main button")).doesNotContain("Pause " + name, "Resume " + name, "Pausep",
					"Resumep");
			this.browser.run("document.querySelector(`main [data-key=${arguments[0]}] a`)?.focus()", name);
			this.browser.press("p");
			this.browser.awaitText(".toasts", name + " cannot be paused: " + why);
			assertThat(this.browser.exists("dialog")).isFalse();
			this.browser.run("document.querySelector('.toasts').replaceChildren()");
		}
	}

	@Test
	void countsThatEndBeforeTheLastJobSaySo() {
		this.browser.open(this.application.uri(), "queues");
		this.browser.run(PART_COUNTED);
		this.browser.press("r");
		this.browser.awaitText("[data-key=email]", "1,000+");
		assertThat(this.browser.text("[data-key=email] [data-label=Scheduled]")).isEqualTo("3+");
		assertThat(this.browser.text("[data-key=email] [data-label^=Ready\\ −]")).isEqualTo("–");
		assertThat(this.browser.text("[data-key=email] [data-label=Dead\\ letters]")).isEqualTo("2");
		assertThat(this.browser.text("[data-key=billing] [data-label=Dead\\ letters]")).isEqualTo("500+");
		assertThat(this.browser.text("[data-key=billing] [data-label=Active]")).isEqualTo("0");
		assertThat(this.browser.text("main")).contains("Of each queue, 1,007 jobs and 500 dead letters are counted.");
		this.browser.open(this.application.uri(), "queue?name=email");
		this.browser.awaitText(".facts", "Available1,000+");
		assertThat(this.browser.text(".facts")).contains("Retryable0+").doesNotContain("empty now");
		assertThat(this.browser.text("main")).contains("Of each queue, 1,007 jobs are counted.");
		this.browser.open(this.application.uri(), "./");
		this.browser.awaitText("[data-key=email]", "1,000+");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1h", "24h", "7d" })
	void speedIsThatOfTheLastMinutesInEachRange(String range) {
		this.browser.open(this.application.uri(), "queues");
		this.browser.run(PART_COUNTED);
		this.browser.run(TEN_IN_A_MINUTE);
		this.browser.open(this.application.uri(), "queue?name=email&range=" + range);
		this.browser.awaitText(".facts", "Empty in");
		assertThat(this.browser.text(".facts")).containsPattern("Empty inat least 1 h (3\\d|40) min");
		this.browser.open(this.application.uri(), "./?range=" + range);
		this.browser.awaitText(".tiles", "Completed");
		assertThat(this.browser.text(".tiles")).containsPattern("Completed1[0-2] / min");
	}

	@ParameterizedTest
	@CsvSource({ "0, true, ''", "7, true, 7", "999, true, 999", "1000, true, 999+", "12, false, 12+" })
	void menuCountsDeadLetters(int count, boolean complete, String shown) {
		this.browser.open(this.application.uri(), "./");
		this.browser.awaitElement(".nav-count");
		this.browser.run(DEAD_LETTERS);
		this.browser.run("window.letters = {count: arguments[0], complete: arguments[1]}", count, complete);
		Browser.await(shown).untilAsserted(() -> {
			this.browser.press("r");
			assertThat(this.browser.text(".nav-count")).isEqualTo(shown);
		});
	}

	@ParameterizedTest
	@CsvSource({ "jobs?since=yesterday, No job can match", "dead-letters?since=yesterday, No dead letter can match",
			"jobs?label=half, No job can match" })
	void pageSaysWhyNothingCanMatch(String page, String text) {
		this.browser.expectFailures();
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText(".empty", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void dialogsHaveNoBarriers(String scheme) {
		this.browser.open(this.application.uri(), "queue?name=email");
		for (String key : List.of("/", "?", "p")) {
			this.browser.look(1440, scheme);
			this.browser.press(key);
			this.browser.awaitElement("dialog[open]");
			assertThat(this.browser.barriers()).as(key).isEmpty();
			this.browser.press(Keys.ESCAPE);
			Browser.await("no dialog").until(() -> !this.browser.exists("dialog[open]"));
		}
	}

	/** A page that is open for days shows many rows, one after another. */
	@Test
	void rowsThatGoLeaveNothingBehind() {
		this.browser.open(this.application.uri(), "jobs");
		assertThat(this.browser.run(LEFT_BEHIND)).isEqualTo(0L);
	}

	@Test
	void lateAnswerIsSeenAtTheTop() {
		this.browser.open(this.application.uri(), "queues");
		this.browser.awaitText(".connection", "Live");
		this.browser.run("window.fetch = () => new Promise(() => {})");
		this.browser.press("r");
		this.browser.awaitText(".connection", "No answer yet");
	}

	/** A proxy answers so while the application is deployed, or the connection breaks. */
	@ParameterizedTest
	@ValueSource(strings = { "new Response('404 page not found', {status: 404})", """
			new Response(new ReadableStream({start: (body) => body.error(new TypeError('broken'))}),
				{headers: {'Content-Type': 'application/json'}})""" })
	void lastFiguresStayWithoutAnAnswerOfTheApplication(String answer) {
		this.browser.open(this.application.uri(), "./");
		this.browser.awaitElement("a.tile");
		this.browser.run("window.fetch = async () => " + answer);
		this.browser.press("r");
		this.browser.awaitText(".banner", "The application does not answer.");
		assertThat(this.browser.exists("a.tile")).as("the last figures").isTrue();
	}

	@Test
	void pageThatCannotShowItsDataSaysSoAndGoesOn() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run(WRONG_LABELS);
		this.browser.press("r");
		this.browser.awaitText(".notice", "The page cannot show this");
		this.browser.run("window.wrong = false");
		this.browser.press("r");
		this.browser.awaitText("tbody", "mail.send");
		assertThat(this.browser.exists(".notice")).isFalse();
		this.browser.open(this.application.uri(), "queues");
		this.browser.awaitText("tbody", "parcels");
	}

	/** A producer may write anything into meta and into fields of its own. */
	@ParameterizedTest
	@CsvSource({ "01900000-0000-7000-8000-000000000001, '.'", "01900000-0000-7000-8000-000000000002, a/b",
			"01900000-0000-7000-8000-000000000003, ab" })
	void jobWhoseFieldsHaveWrongTypesIsShown(String id, String workflow) {
		this.browser.open(this.application.uri(), "jobs");
		assertThat(this.browser.call("POST", "v1/jobs",
				"""
						{"id": "%s", "type": "parcel.pack", "args": [{"ojs_encoded": true, "data": "", "encoding": "x"}],
						"options": {"queue": "parcels", "scheduled_at": "+PT3H"},
						"meta": {"traceparent": 5, "customer": {"no": [1]}, "ojs.codec.key_id": {"_$litType$": 1}, "ojs.codec.aad": "id"},
						"workflow_id": "%s", "worker": {"_$litType$": 1}, "size_bytes": "many", "progress": "much", "labels": 3,
						"tenant": {"_$litType$": 1}, "seen_at": {"home": true}, "left_at": 12345678901234567890}"""
					.formatted(id, workflow)))
			.isEqualTo(201);
		this.browser.open(this.application.uri(), "job?id=" + id);
		this.browser.awaitText("h1", "parcel.pack");
		assertThat(this.browser.exists(".notice")).isFalse();
		assertThat(this.browser.text("main")).contains("12345678901234567890", "home").doesNotContain("[object");
	}

	@Test
	void reloadDuringAnotherIsNotLost() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run(SLOW_ONCE);
		this.browser.press("r");
		this.browser.press("r");
		this.browser.run("window.answer()");
		Browser.await("the second reload").until(() -> this.browser.run("return window.asked > 1").equals(true));
	}

	@Test
	void answersDoNotMoveWhatIsChosenInThePalette() {
		String chosen = "dialog [aria-selected=true]";
		this.browser.open(this.application.uri(), "./");
		this.browser.run(SLOW_ONCE);
		this.browser.press("/", this.jobs.waiting().substring(0, 13));
		Browser.await("a search").until(() -> this.browser.run("return window.asked > 0").equals(true));
		this.browser.press(Keys.ARROW_DOWN);
		this.browser.awaitText(chosen, "in the errors of jobs");
		this.browser.run("window.answer()");
		Browser.await("jobs").until(() -> this.browser.texts("dialog li").size() > 2);
		assertThat(this.browser.text(chosen)).contains("in the errors of jobs");
		this.browser.press(Keys.ENTER);
		this.browser.awaitText("h1", "Jobs");
		assertThat(this.browser.location()).contains("jobs?error=");
	}

	@ParameterizedTest
	@CsvSource({ "jobs?type=mail.send, parcel.*, parcel.pack", "dead-letters?type=invoice.create, invoice.*, invoice" })
	void rowsOfTheFilterBeforeAreNamedSo(String page, String type, String found) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitElement("tbody tr");
		this.browser.run("""
				window.fetched = window.fetch;
				window.fetch = async (...call) => (/v1.(jobs|dead-letter)([?]|$)/.test(call[0])
					? new Response('', {status: 503}) : fetched(...call));
				const field = document.querySelector('input[name=type]');
				field.value = arguments[0];
				field.dispatchEvent(new Event('input', {bubbles: true}));""", type);
		this.browser.awaitText(".banner",
				"The application does not answer. The rows are those of the filter before, from");
		assertThat(this.browser.texts("tbody tr")).isNotEmpty();
		assertThat(this.browser.texts(".actions button:disabled")).hasSize(2);
		this.browser.press("t");
		if (page.startsWith("dead")) {
			this.browser.awaitText(".toasts", "The page does not show yet what matches this filter.");
		}
		assertThat(this.browser.exists("dialog")).isFalse();
		this.browser.run("window.fetch = window.fetched");
		this.browser.press("r");
		this.browser.awaitText("tbody", found);
		Browser.await("the buttons").until(() -> !this.browser.exists(".actions button:disabled"));
		assertThat(this.browser.exists(".banner")).isFalse();
	}

	@Test
	void rowsOfTheFilterBeforeAreNamedSoWhileTheServerIsSlow() {
		this.browser.open(this.application.uri(), "jobs?type=mail.send");
		this.browser.awaitElement("tbody tr");
		this.browser.run(SLOW_ONCE);
		this.browser.find("input[name=type]").clear();
		this.browser.find("input[name=type]").sendKeys("parcel.*", Keys.ENTER);
		this.browser.awaitText(".banner", "The rows are those of the filter before.");
		this.browser.run("window.answer()");
		this.browser.awaitText("tbody", "parcel.pack");
		assertThat(this.browser.exists(".banner")).isFalse();
	}

	/** As a gateway answers for an application that is back after some seconds. */
	@Test
	void pageThatTheUserReloadsWaitsNoLonger() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.awaitText(".connection", "Live");
		this.browser.run("""
				window.fetched = window.fetch;
				window.fetch = async () => new Response('', {status: 503, headers: {'Retry-After': '600'}})""");
		this.browser.press("r");
		this.browser.awaitText(".banner", "The application does not answer.");
		this.browser.run("window.fetch = window.fetched");
		this.browser.press("r");
		Browser.await("a page without a banner").until(() -> !this.browser.exists(".banner"));
		this.application.ojs()
			.enqueue(JobRequest.of("parcel.pack", 11).scheduledAt(Instant.now().plus(Duration.ofHours(3))));
		this.browser.awaitText("button.fresh", "1 new");
	}

	@Test
	void pageIsReloadedThoughItsClockWasSetBack() {
		openAndCountReloads("jobs");
		this.browser.run(CLOCK_SET_BACK);
		awaitReload();
	}

	@Test
	void pageStandsStillWhileADialogIsOpen() {
		openAndCountReloads("jobs");
		this.browser.press("?");
		this.browser.awaitElement("dialog[open]");
		assertThat(this.browser.run(GROW_OLD)).isEqualTo(0L);
		this.browser.press(Keys.ESCAPE);
		awaitReload();
	}

	@Test
	void pageStandsStillWhileTextIsSelected() {
		openAndCountReloads("jobs");
		this.browser.run("getSelection().selectAllChildren(document.querySelector('main h1'))");
		assertThat(this.browser.run(GROW_OLD)).isEqualTo(0L);
		this.browser.run("getSelection().removeAllRanges()");
		awaitReload();
	}

	private void openAndCountReloads(String page) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText(".connection", "Live");
		this.browser.run(COUNT_RELOADS);
	}

	private void awaitReload() {
		Browser.await("a reload").until(() -> this.browser.run("return window.asked > 0").equals(true));
	}

	@Test
	void hiddenTabAsksForNothing() {
		this.browser.open(this.application.uri(), "jobs");
		List<?> asked = (List<?>) this.browser.runAsync(HIDE_AND_SHOW);
		assertThat((List<?>) asked.get(0)).isEmpty();
		assertThat(strings((List<?>) asked.get(1))).contains("v1/jobs", "v1/attention", "ui/session");
		this.browser.load(this.application.uri(), "./");
	}

	/** The rows stay those that the question is about. */
	@Test
	void countingForAQuestionReloadsNothing() {
		openAndCountReloads("jobs?queue=parcels");
		this.browser.click("main button", "Cancel all…");
		this.browser.awaitText("dialog", "Type");
		assertThat(this.browser.run("return window.asked")).isEqualTo(0L);
		assertThat(this.browser.texts(".toasts")).noneMatch((text) -> text.contains("Counted"));
		this.browser.press(Keys.ESCAPE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "v1/events/stream | connecting, live", "v1/queues | connecting, unavailable",
			"ui/nothing/here | connecting, unavailable" })
	void onlyAStreamOfEventsIsLive(String path, String states) {
		this.browser.expectFailures();
		this.browser.open(this.application.uri(), "./");
		assertThat(this.browser.runAsync(STATES, path)).isEqualTo(states);
	}

	@Test
	void tabThatSleptJoinsItsStreamAgain() {
		this.browser.open(this.application.uri(), "./");
		assertThat((String) this.browser.runAsync(SLEEP)).startsWith("connecting, live, lost, connecting")
			.contains("alive")
			.endsWith("live");
	}

	@Test
	void backLeadsToTheSamePlaceOfAList() {
		this.browser.look(320, 400, "light");
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run("scrollTo(0, 500)");
		this.browser.run("document.querySelectorAll('tbody a')[4].click()");
		this.browser.awaitText("h1", ".");
		awaitPlace(0);
		this.browser.run("history.back()");
		this.browser.awaitText("h1", "Jobs");
		awaitPlace(500);
		this.browser.run("scrollTo(0, 600)");
		awaitPlace(600);
		this.browser.run("history.forward()");
		this.browser.awaitText("h1", ".");
		this.browser.run("history.back()");
		this.browser.awaitText("h1", "Jobs");
		awaitPlace(600);
	}

	/** Where the page is, and where it is known to be. */
	private void awaitPlace(long place) {
		Browser.await("the place").untilAsserted(() -> {
			assertThat(this.browser.run("return scrollY")).isEqualTo(place);
			assertThat(this.browser.run("return history.state?.place ?? 0")).isEqualTo(place);
		});
	}

	/** A key that is pressed twice asks once. */
	@ParameterizedTest
	@CsvSource({ "queue?name=email, ?", "dead-letters, t" })
	void keyPressedTwiceAsksOnce(String page, String key) {
		this.browser.open(this.application.uri(), page);
		this.browser.press(key, key);
		this.browser.awaitElement("dialog[open]");
		this.browser.press(Keys.ESCAPE);
		Browser.await("no dialog").until(() -> !this.browser.exists("dialog"));
		this.browser.press("/");
		this.browser.awaitElement("dialog[open]");
		assertThat(this.browser.texts("dialog")).hasSize(1);
		this.browser.press(Keys.ESCAPE);
	}

	@Test
	void dialogEndsWithItsPage() {
		this.browser.open(this.application.uri(), "queues");
		this.browser.open(this.application.uri(), "queue?name=email");
		this.browser.press("p");
		this.browser.awaitText("dialog", "Pause email?");
		this.browser.run("history.back()");
		this.browser.awaitText("h1", "Queues");
		assertThat(this.browser.exists("dialog")).isFalse();
	}

	@Test
	void pageWhoseFilterHasTheFocusGoesOn() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.awaitText(".connection", "Live");
		this.browser.find("input[name=queue]").click();
		this.application.ojs()
			.enqueue(JobRequest.of("parcel.pack", 10).scheduledAt(Instant.now().plus(Duration.ofHours(3))));
		this.browser.awaitText("button.fresh", "1 new");
	}

	/**
	 * The server shares figures: the first ones may be from before the page was opened.
	 */
	@Test
	void figuresFromBeforeThePageAreReadAgain() {
		this.browser.open(this.application.uri(), "jobs");
		this.browser.run(OLD_FIGURES);
		this.browser.press("g", "q");
		this.browser.awaitText(".page-note", "counted");
		Browser.await("a second answer")
			.until(() -> ((Number) this.browser.run("return window.asked.length")).intValue() > 1);
		assertThat(((Number) this.browser.run("return window.asked[1] - window.asked[0]")).longValue())
			.isLessThan(8_000);
	}

}
