/**
 * Endpoints of webhooks. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.webhook;

import org.jspecify.annotations.NullMarked;
