/**
 * Webhooks in the job store: which events they want, the jobs that deliver events, and
 * the HTTP client that posts them. Not part of the API.
 */
@NullMarked
package io.ojs.webhook.internal;

import org.jspecify.annotations.NullMarked;
