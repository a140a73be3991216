/**
 * Subscriptions to events in a database.
 */
@NullMarked
package io.ojs.jdbc.webhook;

import org.jspecify.annotations.NullMarked;
