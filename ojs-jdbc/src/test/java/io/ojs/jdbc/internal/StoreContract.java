package io.ojs.jdbc.internal;

/**
 * What is the same on every database. A subclass says which database that is.
 */
abstract class StoreContract extends EngineContract<TestStores> {

}
