package io.ojs.webhook;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A subscription with this id does not exist. Nothing was changed.
 */
public class WebhookNotFoundException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String webhook;

	/**
	 * Creates the exception.
	 * @param webhook the id
	 */
	public WebhookNotFoundException(String webhook) {
		super(ErrorCode.NOT_FOUND, "There is no subscription %s. Webhooks.list() tells which there are."
			.formatted(ForeignText.show(webhook)));
		this.webhook = webhook;
	}

	/**
	 * Returns the id in the request.
	 * @return the id
	 */
	public String webhook() {
		return this.webhook;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("resource_type", "subscription", "resource_id", this.webhook);
	}

}
