package io.ojs.webhook;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Posts events. A bean of this type replaces the default one, for example to use a proxy.
 * It has to check itself which addresses it connects to.
 */
@FunctionalInterface
public interface WebhookSender {

	/**
	 * Posts a request. Does not follow redirects.
	 * @param url the URL
	 * @param headers the headers
	 * @param body the body
	 * @param timeout how long the whole exchange may take
	 * @return the answer of the receiver
	 * @throws WebhookFailedException if the receiver does not answer
	 * @throws InterruptedException if the thread was told to end
	 */
	WebhookReply post(URI url, Map<String, String> headers, byte[] body, Duration timeout) throws InterruptedException;

}
