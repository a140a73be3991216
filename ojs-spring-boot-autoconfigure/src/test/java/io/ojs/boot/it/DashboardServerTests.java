package io.ojs.boot.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.handler.OjsJobHandler;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard of an application with a web server, a context path and a servlet path:
 * each address that a page has leads to a file, and those of the API to the API.
 */
class DashboardServerTests extends BrokerTest {

	private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

	/**
	 * From 'a.js', import('a.js') and new URL('a.js', import.meta.url), minified or not.
	 */
	private static final Pattern IMPORT = Pattern
		.compile("(?:from ?|import ?[(]?|new URL[(])['\"]([.]{1,2}/[^'\"]+[.](?:js|css))['\"]");

	private static final Path FILES = Path.of("..", "ojs-dashboard", "src", "main", "resources", "io", "ojs",
			"dashboard");

	private static final String ASSETS = "/shop/office/ojs/ui/assets/";

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void addressesLeadToFilesBelowAnyBasePath() throws IOException {
		try (Application application = application(Mails.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.http()
			.property("ojs.dashboard.enabled", true)
			.property("server.servlet.context-path", "/shop")
			.property("spring.mvc.servlet.path", "/office")
			.start()) {
			assertThat(application.get("/shop/office/ojs/ui").headers().firstValue("Location")).contains("ui/");
			String page = "/shop/office/ojs/ui/queues";
			HttpResponse<String> answer = application.get(page);
			assertThat(answer.statusCode()).isEqualTo(200);
			Set<String> files = new TreeSet<>();
			ADDRESS.matcher(answer.body())
				.results()
				.forEach((each) -> follow(application, URI.create(page).resolve(each.group(1)).toString(), files));
			assertThat(files).containsExactlyElementsOf(files());
			String api = URI.create(page).resolve("../v1/queues").toString();
			assertThat(application.get(api).statusCode()).isEqualTo(200);
		}
	}

	/** Loads a file, and what it imports. */
	private static void follow(Application application, String path, Set<String> found) {
		assertThat(path).startsWith(ASSETS);
		if (!found.add(path.replaceFirst(ASSETS + "[^/]+/", ""))) {
			return;
		}
		HttpResponse<String> file = application.get(path);
		assertThat(file.statusCode()).as(path).isEqualTo(200);
		assertThat(file.headers().firstValue("Cache-Control"))
			.hasValueSatisfying((value) -> assertThat(value).contains("immutable"));
		IMPORT.matcher(file.body())
			.results()
			.forEach((each) -> follow(application, URI.create(path).resolve(each.group(1)).toString(), found));
	}

	/** All files that pages have. */
	private static Set<String> files() throws IOException {
		try (Stream<Path> all = Files.walk(FILES)) {
			return all.map((file) -> FILES.relativize(file).toString().replace('\\', '/'))
				.filter((name) -> name.matches(".+/.+[.](js|css)|icon[.]svg"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	static class Mails {

		@OjsJobHandler("mail.send")
		void send() {
			// Done.
		}

	}

}
