/**
 * Events, posted to whoever subscribed to them (OJS Webhooks): what is subscribed to, and
 * how an event becomes a job that delivers it.
 */
@NullMarked
package io.ojs.webhook;

import org.jspecify.annotations.NullMarked;
