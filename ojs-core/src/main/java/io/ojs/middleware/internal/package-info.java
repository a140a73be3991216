/**
 * The chains of middleware that each job and each attempt pass, and the middleware that
 * decrypts arguments before handlers see them. Not part of the API.
 */
@NullMarked
package io.ojs.middleware.internal;

import org.jspecify.annotations.NullMarked;
