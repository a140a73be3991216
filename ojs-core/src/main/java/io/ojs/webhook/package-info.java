/**
 * Webhooks (OJS Webhooks): subscriptions to events that are posted to a URL.
 */
@NullMarked
package io.ojs.webhook;

import org.jspecify.annotations.NullMarked;
