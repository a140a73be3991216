package io.ojs.boot;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.boot.dashboard.OjsDashboardAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the dashboard's pages and files are served: addresses, headers, caching.
 */
class DashboardServingTests {

	private static final Pattern VERSION = Pattern.compile("assets/([0-9a-f]{12})/js/boot.js");

	@ParameterizedTest
	@ValueSource(strings = { "", "queues", "queue", "jobs", "job", "dead-letters", "workflow" })
	void eachPageIsTheSameDocument(String page) {
		open((dashboard) -> {
			MockHttpServletResponse answer = dashboard.get("/ojs/ui/" + page);
			assertThat(answer.getStatus()).isEqualTo(200);
			assertThat(answer.getContentType()).isEqualTo("text/html;charset=UTF-8");
			assertThat(text(answer)).contains("<title>Jobs</title>").doesNotContain("${");
		});
	}

	@Test
	void allAddressesAreRelative() {
		open((dashboard) -> {
			assertThat(text(dashboard.get("/ojs/ui/"))).doesNotContainPattern("(href|src)=\"(/|\\w+:)");
			MockHttpServletResponse answer = dashboard.get("/ojs/ui");
			assertThat(answer.getStatus()).isEqualTo(302);
			assertThat(answer.getHeader("Location")).isEqualTo("ui/");
		});
	}

	@Test
	void worksBelowAContextPath() {
		open((dashboard) -> {
			MockHttpServletResponse answer = dashboard
				.perform(MockMvcRequestBuilders.get("/shop/ojs/ui/queues").contextPath("/shop"));
			assertThat(answer.getStatus()).isEqualTo(200);
			assertThat(dashboard
				.perform(MockMvcRequestBuilders.get("/shop/ojs/ui/assets/" + version(answer) + "/js/app.js")
					.contextPath("/shop"))
				.getStatus()).isEqualTo(200);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "nothing/here", "assets/x/js/app.js", "session" })
	void eachAnswerHasThePolicy(String path) {
		open((dashboard) -> {
			MockHttpServletResponse answer = dashboard.get("/ojs/ui/" + path);
			assertThat(answer.getHeader("Content-Security-Policy")).isEqualTo("default-src 'none'; script-src 'self'; "
					+ "style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
					+ "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
					+ "trusted-types lit-html ojs");
			assertThat(answer.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
			assertThat(answer.getHeader("Referrer-Policy")).isEqualTo("same-origin");
			assertThat(answer.getHeader("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
			assertThat(answer.getHeader("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
		});
	}

	@Test
	void pagesAreNotStored() {
		open((dashboard) -> {
			assertThat(dashboard.get("/ojs/ui/").getHeader("Cache-Control")).isEqualTo("no-store");
			assertThat(dashboard.get("/ojs/ui/session").getHeader("Cache-Control")).isEqualTo("no-store");
		});
	}

	@Test
	void filesOfTheVersionAreKeptForever() {
		open((dashboard) -> {
			String path = "/ojs/ui/assets/" + dashboard.version() + "/js/app.js";
			MockHttpServletResponse answer = dashboard.get(path);
			assertThat(answer.getStatus()).isEqualTo(200);
			assertThat(answer.getContentType()).isEqualTo("text/javascript;charset=UTF-8");
			assertThat(answer.getHeader("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
			assertThat(dashboard
				.perform(MockMvcRequestBuilders.get(path).header("If-None-Match", answer.getHeader("ETag")))
				.getStatus()).isEqualTo(304);
			MockHttpServletResponse zipped = dashboard
				.perform(MockMvcRequestBuilders.get(path).header("Accept-Encoding", "gzip, br"));
			assertThat(zipped.getHeader("Content-Encoding")).isEqualTo("gzip");
			assertThat(zipped.getContentAsByteArray()).startsWith(0x1f, 0x8b)
				.hasSizeLessThan(answer.getContentLength());
		});
	}

	@Test
	void pageOfAnotherVersionLearnsThatItIsOld() {
		open((dashboard) -> {
			for (String file : new String[] { "js/boot.js", "js/reload.js", "css/base.css" }) {
				MockHttpServletResponse answer = dashboard.get("/ojs/ui/assets/0123456789ab/" + file);
				assertThat(answer.getStatus()).isEqualTo(200);
				assertThat(answer.getHeader("Cache-Control")).isEqualTo("no-store");
			}
			MockHttpServletResponse gone = dashboard.get("/ojs/ui/assets/0123456789ab/js/app.js");
			assertThat(gone.getStatus()).isEqualTo(404);
			assertThat(gone.getHeader("Cache-Control")).isEqualTo("no-store");
			assertThat(text(dashboard.get("/ojs/ui/session"))).contains("\"version\":\"" + dashboard.version() + "\"");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "job/x", "index.html", "a.b", "..%2f", "assets/%s/index.html", "assets/%s/refused.html",
			"assets/%s/../index.html", "assets/%s/internal/DashboardFiles.class", "Queues" })
	void nothingElseIsServed(String path) {
		open((dashboard) -> assertThat(dashboard.get("/ojs/ui/" + path.replace("%s", dashboard.version())).getStatus())
			.isEqualTo(404));
	}

	@Test
	void onlyReadsAreServed() {
		open((dashboard) -> {
			MockHttpServletResponse answer = dashboard.perform(MockMvcRequestBuilders.post("/ojs/ui/queues"));
			assertThat(answer.getStatus()).isEqualTo(405);
			assertThat(answer.getHeader("Allow")).isEqualTo("GET, HEAD");
		});
	}

	@Test
	void otherSitesCanLinkToPagesButNotLoadThem() {
		open((dashboard) -> {
			assertThat(dashboard.fetched("/ojs/ui/", "cross-site", "navigate", "document")).isEqualTo(200);
			assertThat(dashboard.fetched("/ojs/ui/", "same-origin", "cors", "empty")).isEqualTo(200);
			assertThat(dashboard.fetched("/ojs/ui/", "cross-site", "navigate", "iframe")).isEqualTo(403);
			assertThat(dashboard.fetched("/ojs/ui/session", "cross-site", "no-cors", "script")).isEqualTo(403);
			assertThat(dashboard.fetched("/ojs/ui/assets/" + dashboard.version() + "/js/app.js", "cross-site",
					"no-cors", "script"))
				.isEqualTo(403);
		});
	}

	@Test
	void theApiStaysWhereItIs() {
		open((dashboard) -> {
			assertThat(dashboard.get("/ojs/v1/queues").getStatus()).isEqualTo(200);
			assertThat(dashboard.get("/ojs/uix").getStatus()).isEqualTo(404);
			assertThat(dashboard.get("/ojs/uix").getHeader("OJS-Version")).isEqualTo("1.0");
		});
	}

	private static String text(MockHttpServletResponse answer) {
		return new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8);
	}

	private static String version(MockHttpServletResponse page) {
		Matcher version = VERSION.matcher(text(page));
		assertThat(version.find()).isTrue();
		return version.group(1);
	}

	private static void open(Consumer<Dashboard> test) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsDashboardAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.dashboard.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.accept(new Dashboard(context.getSourceApplicationContext()));
			});
	}

	private static final class Dashboard {

		private final MockMvc mvc;

		Dashboard(WebApplicationContext context) {
			this.mvc = MockMvcBuilders.webAppContextSetup(context).build();
		}

		MockHttpServletResponse get(String path) {
			return perform(MockMvcRequestBuilders.get(URI.create(path)));
		}

		String version() {
			return DashboardServingTests.version(get("/ojs/ui/"));
		}

		int fetched(String path, String site, String mode, String destination) {
			return perform(MockMvcRequestBuilders.get(path)
				.header("Sec-Fetch-Site", site)
				.header("Sec-Fetch-Mode", mode)
				.header("Sec-Fetch-Dest", destination)).getStatus();
		}

		MockHttpServletResponse perform(RequestBuilder request) {
			try {
				return this.mvc.perform(request).andReturn().getResponse();
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}

	}

}
