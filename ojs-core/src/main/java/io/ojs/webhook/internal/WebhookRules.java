package io.ojs.webhook.internal;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.ojs.internal.json.JsonObjects;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.webhook.InvalidWebhookException;
import io.ojs.webhook.WebhookFilter;
import io.ojs.webhook.WebhookSettings;
import org.jspecify.annotations.Nullable;

/**
 * The rules for subscriptions.
 */
final class WebhookRules {

	/** The largest number of characters of a URL. */
	static final int MAX_URL_LENGTH = 2048;

	/** The largest number of entries of a list. */
	static final int MAX_ENTRIES = 100;

	/** The largest number of bytes of the metadata, as JSON. */
	static final int MAX_METADATA_BYTES = 4096;

	private static final int MAX_PORT = 65535;

	private static final int MAX_TYPE_LENGTH = 64;

	private static final Pattern TYPE = Pattern.compile("\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*(\\.\\*)?");

	/** A literal IP address. */
	private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+");

	private final WebhookOptions options;

	WebhookRules(WebhookOptions options) {
		this.options = options;
	}

	void check(WebhookSettings settings) {
		url(settings.url());
		List<String> events = settings.events();
		if (events.isEmpty() || events.size() > MAX_ENTRIES) {
			throw new InvalidWebhookException("events", events.size() + " entries", "must have 1 to " + MAX_ENTRIES);
		}
		for (String type : events) {
			if (type.length() > MAX_TYPE_LENGTH || !TYPE.matcher(type).matches()) {
				throw new InvalidWebhookException("events", type,
						"must be types of events such as job.completed, all of a kind such as job.*, or *");
			}
		}
		WebhookFilter filter = settings.filter();
		entries("filter.queues", filter.queues(), JobRules::queue);
		entries("filter.job_types", filter.jobTypes(), JobRules::type);
		metadata(settings.metadata());
	}

	private static void entries(String field, List<String> entries, UnaryOperator<String> rule) {
		if (entries.size() > MAX_ENTRIES) {
			throw new InvalidWebhookException(field, entries.size() + " entries", "must have at most " + MAX_ENTRIES);
		}
		for (String entry : entries) {
			try {
				rule.apply(entry);
			}
			catch (InvalidJobException ex) {
				throw new InvalidWebhookException(field, entry, ex.problem());
			}
		}
	}

	private static void metadata(Map<String, @Nullable Object> metadata) {
		byte[] json = new JsonObjects().write(metadata);
		if (json.length > MAX_METADATA_BYTES) {
			throw new InvalidWebhookException("metadata", json.length + " bytes",
					"must have at most " + MAX_METADATA_BYTES + " bytes as JSON");
		}
	}

	/** Checks a URL, without resolving its host name. */
	URI url(String text) {
		if (text.length() > MAX_URL_LENGTH) {
			throw new InvalidWebhookException("url", text.length() + " characters",
					"must have at most " + MAX_URL_LENGTH + " characters");
		}
		URI uri;
		try {
			uri = new URI(text);
		}
		catch (URISyntaxException ex) {
			throw new InvalidWebhookException("url", text, "must be a URL");
		}
		String scheme = (uri.getScheme() != null) ? uri.getScheme().toLowerCase(Locale.ROOT) : "";
		if (!scheme.equals("https") && !(scheme.equals("http") && this.options.allowHttp())) {
			throw new InvalidWebhookException("url", text,
					this.options.allowHttp() ? "must begin with https:// or http://" : "must begin with https://");
		}
		if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
			throw new InvalidWebhookException("url", text,
					"must name a host, whose letters are those of ASCII, and a port up to " + MAX_PORT + " if any");
		}
		if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
			throw new InvalidWebhookException("url", "a URL with a user or a fragment",
					"must have neither a user nor a fragment; deliveries are signed instead");
		}
		if (!this.options.allowPrivateAddresses() && isPrivate(uri.getHost())) {
			throw new InvalidWebhookException("url", text, "must lead to a public address");
		}
		return URI.create(uri.toASCIIString());
	}

	private static boolean isPrivate(String host) {
		String name = withoutDot(host.toLowerCase(Locale.ROOT));
		if (name.equals("localhost") || name.endsWith(".localhost")) {
			return true;
		}
		if (!LITERAL.matcher(name).matches()) {
			return false;
		}
		try {
			return !PublicAddresses.include(InetAddress.getByName(name));
		}
		catch (UnknownHostException ex) {
			return true;
		}
	}

	/** Removes the dot at the end of a host name, which stands for the root. */
	static String withoutDot(String host) {
		return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
	}

}
