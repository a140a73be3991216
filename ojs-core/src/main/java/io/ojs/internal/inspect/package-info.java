/**
 * What operators ask about one job: why it does not run, and what has happened to it. Not
 * part of the API.
 */
@NullMarked
package io.ojs.internal.inspect;

import org.jspecify.annotations.NullMarked;
