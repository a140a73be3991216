/**
 * The engine of job stores: state transitions of stored jobs, their events, and the
 * decision which jobs start, on any table of rows. For use by stores only. Not part of
 * the API.
 */
@NullMarked
package io.ojs.internal.engine;

import org.jspecify.annotations.NullMarked;
