package io.ojs.boot.it;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

	private static final Pattern IMPORT = Pattern.compile("from '(\\.[^']+)'");

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void addressesLeadToFilesBelowAnyBasePath() {
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
			Matcher addresses = ADDRESS.matcher(answer.body());
			int found = 0;
			while (addresses.find()) {
				assertFile(application, URI.create(page).resolve(addresses.group(1)).toString(), 0);
				found++;
			}
			assertThat(found).isGreaterThan(3);
			String api = URI.create(page).resolve("../v1/queues").toString();
			assertThat(application.get(api).statusCode()).isEqualTo(200);
		}
	}

	/** Follows imports one step, which is where all folders are. */
	private static void assertFile(Application application, String path, int depth) {
		HttpResponse<String> file = application.get(path);
		assertThat(file.statusCode()).as(path).isEqualTo(200);
		assertThat(file.headers().firstValue("Cache-Control"))
			.hasValueSatisfying((value) -> assertThat(value).contains("immutable"));
		if (depth < 1) {
			IMPORT.matcher(file.body())
				.results()
				.forEach((each) -> assertFile(application, URI.create(path).resolve(each.group(1)).toString(),
						depth + 1));
		}
	}

	static class Mails {

		@OjsJobHandler("mail.send")
		void send() {
			// Done.
		}

	}

}
