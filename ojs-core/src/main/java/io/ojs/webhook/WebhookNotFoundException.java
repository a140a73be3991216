package io.ojs.webhook;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;

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

}
