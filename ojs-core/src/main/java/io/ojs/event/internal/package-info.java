/**
 * The state machine as a table, and how its transitions become events. Not part of the
 * API. Not part of the API.
 */
@NullMarked
package io.ojs.event.internal;

import org.jspecify.annotations.NullMarked;
