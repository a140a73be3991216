/**
 * Auto-configuration of crons, and those that the application declares.
 */
@NullMarked
package io.ojs.boot.cron;

import org.jspecify.annotations.NullMarked;
