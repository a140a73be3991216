/**
 * Subscriptions to events in a database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.webhook;

import org.jspecify.annotations.NullMarked;
