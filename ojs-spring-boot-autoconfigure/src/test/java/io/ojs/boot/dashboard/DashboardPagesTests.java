package io.ojs.boot.dashboard;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each page, wide and narrow, light and dark: it shows its content, nothing is wider than
 * the window, axe finds nothing serious, and the browser has nothing to complain about.
 */
class DashboardPagesTests extends DashboardTest {

	@BeforeAll
	void logIn() {
		this.browser.logIn(this.application.uri(), "admin");
	}

	List<Arguments> pages() {
		return List.of(Arguments.of("./", "Overview"), Arguments.of("queues", "email"),
				Arguments.of("queue?name=email", "email"), Arguments.of("jobs", "mail.send"),
				Arguments.of("job?id=" + this.jobs.sent(), "4711"),
				Arguments.of("job?id=" + this.jobs.failed(), "price"),
				Arguments.of("job?id=" + this.jobs.running(), "page 4"),
				Arguments.of("job?id=" + this.jobs.secret(), "Encrypted"),
				Arguments.of("job?id=" + this.jobs.waiting(), "parcel.pack"),
				Arguments.of("dead-letters", "invoice.create"), Arguments.of("workflows", "order"),
				Arguments.of("workflow?id=" + this.jobs.workflow(), "order"), Arguments.of("crons", "stock-count"),
				Arguments.of("crons?name=stock-count", "Berlin"), Arguments.of("operations", "Operations"),
				Arguments.of("workers", "Processes"), Arguments.of("limits", "printer"),
				Arguments.of("tenants", "acme"), Arguments.of("broker", "RabbitMQ"),
				Arguments.of("nothing", "There is no such page"));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void page(String page, String text) {
		this.browser.open(this.application.uri(), page);
		this.browser.awaitText("main", text);
		assertThat(this.browser.exists(".notice")).isEqualTo(page.equals("nothing"));
		List<String> problems = new ArrayList<>();
		for (String scheme : List.of("light", "dark")) {
			for (int width : List.of(1440, 360)) {
				this.browser.look(width, scheme);
				String look = scheme + " at " + width + " px: ";
				if (this.browser.overflow() > 0) {
					problems.add(look + this.browser.overflow() + " px too wide");
				}
				this.browser.barriers().forEach((barrier) -> problems.add(look + barrier));
			}
		}
		assertThat(problems).isEmpty();
	}

}
