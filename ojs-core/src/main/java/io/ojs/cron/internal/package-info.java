/**
 * When crons fire, how they are fired, and where they are kept. Not part of the API.
 */
@NullMarked
package io.ojs.cron.internal;

import org.jspecify.annotations.NullMarked;
