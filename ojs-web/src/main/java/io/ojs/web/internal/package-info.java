/**
 * What all endpoints of the HTTP API share: finding them, access, bodies, errors. Not
 * part of the API. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal;

import org.jspecify.annotations.NullMarked;
