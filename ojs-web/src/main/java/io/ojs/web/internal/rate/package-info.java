/**
 * Endpoints of rate limits. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.rate;

import org.jspecify.annotations.NullMarked;
