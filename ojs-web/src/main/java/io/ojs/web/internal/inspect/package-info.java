/**
 * Endpoints that explain one job. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.inspect;

import org.jspecify.annotations.NullMarked;
