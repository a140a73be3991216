/**
 * Crons in a database. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.cron;

import org.jspecify.annotations.NullMarked;
