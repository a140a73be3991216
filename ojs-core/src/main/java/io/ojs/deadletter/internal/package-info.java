/**
 * How dead letters are kept in the job store and replayed. Not part of the API.
 */
@NullMarked
package io.ojs.deadletter.internal;

import org.jspecify.annotations.NullMarked;
