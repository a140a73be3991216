/**
 * Webhooks (OJS Webhooks): subscriptions to events, and the jobs that deliver an event to
 * each of them.
 */
@NullMarked
package io.ojs.webhook;

import org.jspecify.annotations.NullMarked;
