/**
 * Endpoints of crons. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.cron;

import org.jspecify.annotations.NullMarked;
