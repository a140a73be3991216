package io.ojs.boot.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.ojs.boot.it.EventFlow;
import io.ojs.test.internal.browser.Browser.Memory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Open pages while thousands of events are written each second, and after as many reloads
 * as hours have. The log has the figures.
 */
@Tag("costs")
class DashboardBrowserLoadTests extends DashboardTest {

	private static final Logger logger = LoggerFactory.getLogger(DashboardBrowserLoadTests.class);

	private static final int SECONDS = Integer.getInteger("ojs.test.stream.seconds", 20);

	private static final int PER_SECOND = Integer.getInteger("ojs.test.stream.rate", 5000);

	/** Those of an hour: an open page reloads once in two seconds at most. */
	private static final int RELOADS = Integer.getInteger("ojs.test.reloads", 1_800);

	private static final int VISITS = RELOADS / 18;

	/** More would make the list longer. */
	private static final int PAGE_OF_JOBS = 50;

	/** The heap of one page differs by half a megabyte from one moment to the next. */
	private static final long LARGEST_DIFFERENCE = 1_500_000;

	/** Counts from now on: a page that is loaded knows no requests of before. */
	private static final String WATCH = """
			window.seen = { requests: {}, longest: 0, long: 0 };
			new PerformanceObserver((list) => list.getEntries().forEach(({ name }) => {
				const path = new URL(name).pathname.split('/ojs/')[1];
				window.seen.requests[path] = (window.seen.requests[path] ?? 0) + 1;
			})).observe({ type: 'resource' });
			new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => {
				window.seen.long++;
				window.seen.longest = Math.max(window.seen.longest, duration);
			})).observe({ type: 'longtask' });""";

	/** Presses r until the page has been loaded again. */
	private static final String RELOAD = """
			const [path, done] = arguments;
			const before = window.seen.requests[path] ?? 0;
			const again = () => {
				if ((window.seen.requests[path] ?? 0) > before) {
					done();
					return;
				}
				document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
				setTimeout(again, 4);
			};
			again();""";

	private JdbcTemplate jdbc;

	@BeforeAll
	void connect() {
		this.jdbc = EventFlow.to(this.database);
	}

	@BeforeEach
	void logIn() {
		this.browser.logIn(this.application.uri(), "admin");
	}

	@ParameterizedTest
	@CsvSource({ "./, v1/depths", "jobs, v1/jobs" })
	void reloadsStayFewWhileThousandsOfEventsArrive(String page, String path) {
		open(page);
		EventFlow.write(this.jdbc, 5, PER_SECOND);
		this.browser.run(WATCH);
		Memory before = this.browser.memory();
		long began = System.nanoTime();
		for (int part = 0; part < SECONDS; part += 300) {
			EventFlow.write(this.jdbc, Math.min(300, SECONDS - part), PER_SECOND);
			logger.info("{}: {} after {} s", page, this.browser.memory(), (System.nanoTime() - began) / 1_000_000_000);
		}
		double seconds = (System.nanoTime() - began) / 1e9;
		Memory after = this.browser.memory();
		Map<?, ?> requests = (Map<?, ?>) this.browser.run("return window.seen.requests");
		logger.info(
				"{} with {} events a second for {} s: requests {}, {} long tasks, the longest of {} ms, {} before, {} after",
				page, PER_SECOND, Math.round(seconds), requests, this.browser.run("return window.seen.long"),
				this.browser.run("return window.seen.longest"), before, after);
		assertThat(this.browser.text(".connection")).contains("Live");
		assertThat(((Number) requests.get(path)).doubleValue() / seconds).isBetween(0.1, 0.6);
		assertKeeps(before, after);
	}

	@ParameterizedTest
	@CsvSource({ "./, v1/depths", "jobs, v1/jobs", "queue?name=email, v1/depths" })
	void reloadsOfAnHourKeepTheMemory(String page, String path) {
		for (int i = 0; i < PAGE_OF_JOBS; i++) {
			this.application.ojs().enqueue("mail.send", "ann@example.org");
		}
		open(page);
		this.browser.run(WATCH);
		List<Memory> memories = new ArrayList<>();
		ScheduledExecutorService shop = Executors.newSingleThreadScheduledExecutor();
		try {
			shop.scheduleWithFixedDelay(() -> this.application.ojs().enqueue("mail.send", "ann@example.org"), 0, 50,
					TimeUnit.MILLISECONDS); // Rows and charts change.
			for (int reloads = 1; reloads <= RELOADS; reloads++) {
				this.browser.runAsync(RELOAD, path);
				if (reloads % (RELOADS / 9 * 4) == RELOADS / 9) {
					memories.add(this.browser.memory());
				}
			}
		}
		finally {
			shop.shutdownNow();
		}
		logger.info("{} after a ninth, five ninths and all of {} reloads: {}", page, RELOADS, memories);
		assertKeeps(memories.get(0), memories.get(2));
	}

	@Test
	void changesOfPagesKeepTheMemory() {
		List<Memory> memories = new ArrayList<>();
		open("./");
		for (int i = 0; i < VISITS; i++) {
			for (String each : List.of("q", "j", "d", "f", "c", "w", "l", "b", "o")) {
				this.browser.press("g", each);
				this.browser.awaitLoaded();
			}
			if (i == VISITS / 10) {
				memories.add(this.browser.memory());
			}
		}
		memories.add(this.browser.memory());
		logger.info("After a tenth and all of {} visits of each page: {}", VISITS, memories);
		assertKeeps(memories.get(0), memories.get(1));
	}

	private void open(String page) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText(".connection", "Live");
	}

	private static void assertKeeps(Memory before, Memory after) {
		assertThat(after.bytes() - before.bytes()).as("bytes").isLessThan(LARGEST_DIFFERENCE);
		assertThat(after.nodes() - before.nodes()).as("nodes").isLessThan(before.nodes() / 5);
		assertThat(after.listeners() - before.listeners()).as("listeners").isLessThan(before.listeners() / 5 + 1);
	}

}
