/**
 * The job store: the interfaces that a database implements, calls that threads share, and
 * tasks that run periodically. Not part of the API.
 */
@NullMarked
package io.ojs.store.internal;

import org.jspecify.annotations.NullMarked;
