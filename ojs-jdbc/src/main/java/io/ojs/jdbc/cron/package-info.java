/**
 * Crons in a database.
 */
@NullMarked
package io.ojs.jdbc.cron;

import org.jspecify.annotations.NullMarked;
