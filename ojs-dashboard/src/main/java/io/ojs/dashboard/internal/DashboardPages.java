package io.ojs.dashboard.internal;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.dashboard.internal.DashboardSecurity.Csrf;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.HtmlUtils;

/**
 * The HTML: the one document of all pages, and a small one for refusals.
 */
final class DashboardPages {

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{([a-z.]+)}");

	private final String version;

	private final String page;

	private final String refusal;

	DashboardPages(DashboardFiles files) {
		this.version = files.version();
		this.page = files.template("index.html");
		this.refusal = files.template("refused.html");
	}

	String page(@Nullable Csrf csrf) {
		return fill(this.page, Map.of("version", this.version, "csrf.header", (csrf != null) ? csrf.header() : "",
				"csrf.token", (csrf != null) ? csrf.token() : ""));
	}

	String refusal(Refusal refusal) {
		return fill(this.refusal, Map.of("version", this.version, "title", refusal.title(), "reason", refusal.reason(),
				"fix", refusal.fix()));
	}

	private static String fill(String template, Map<String, String> values) {
		return VARIABLE.matcher(template)
			.replaceAll((found) -> Matcher
				.quoteReplacement(HtmlUtils.htmlEscape(values.getOrDefault(found.group(1), found.group()), "UTF-8")));
	}

	/**
	 * Why a page is not served.
	 *
	 * @param status the HTTP status
	 * @param title what happened
	 * @param reason why
	 * @param fix what to do
	 */
	record Refusal(int status, String title, String reason, String fix) {

		static final Refusal NOT_FOUND = new Refusal(404, "There is no such page",
				"The dashboard has no page at this address.", "Open /ojs/ui/ of the application.");

		static final Refusal OTHER_SITE = new Refusal(403, "Not for other sites",
				"Another site asks for a page of the dashboard inside its own.",
				"Open the dashboard itself, in a tab of its own.");

		static final Refusal UNKNOWN = new Refusal(401, "Sign in first",
				"The dashboard does not know who you are, and the application has no login page to send you to.",
				"Have a security filter chain of the application cover /ojs/** and log in people, such as by formLogin "
						+ "or oauth2Login. If every caller that reaches the application may look, set "
						+ "ojs.http.anonymous-rights=read.");

		static final Refusal UNKNOWN_TO_APPLICATION = new Refusal(401, "Sign in first",
				"The application requires authentication, and has no login page to send you to.",
				"Give the browser credentials that the application takes; or log in people by formLogin or oauth2Login "
						+ "in the security filter chain that covers /ojs/**.");

		static final Refusal REFUSED_BY_APPLICATION = new Refusal(403, "You may not see this",
				"The application's own security refuses this page.",
				"Log in as a person who may see it, or change the security filter chain that covers /ojs/**.");

	}

}
