/**
 * Endpoints of dead letters. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.deadletter;

import org.jspecify.annotations.NullMarked;
